import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxsimError } from '../errors.ts';
import { parseResult } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import type { Io } from './io.ts';

/**
 * A stored result; `command` makes such a file.
 * @throws CtxsimError `unreadable` or `bad-result`, naming the file and the command.
 */
export function readResult(io: Io, file: string, command: string): Result {
  const remedy = `Make one with: ${command}`;
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd(), file), 'utf8');
  } catch (error) {
    throw new CtxsimError('unreadable', `${file}: ${(error as Error).message}`, remedy);
  }
  return parseResult(text, file, remedy);
}
