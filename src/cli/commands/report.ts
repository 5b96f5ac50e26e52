import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { mergeResults } from '../../analysis/index.ts';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { parseResult } from '../../results/index.ts';
import type { Io } from '../io.ts';
import { type OutputFlags, outputsOf, writeOutputs } from '../outputs.ts';

/** `ctxsim report`: a stored result in another format, or several of disjoint sessions as one. */
export async function report(io: Io, files: readonly string[], flags: OutputFlags): Promise<number> {
  const outputs = outputsOf(flags);
  const named = [...files]
    .sort()
    .map((name) => ({ name, result: parseResult(readText(io, name), name, remedyFor(name)) }));
  const [only] = named;
  const result = only && named.length === 1 ? only.result : mergeResults(named);
  writeOutputs(io, outputs, (reporter, to) => reporter.render(result, to));
  return exitCodes.done;
}

function remedyFor(file: string): string {
  return `Make one with: ctxsim replay PATHS -o ${file}`;
}

function readText(io: Io, file: string): string {
  try {
    return readFileSync(resolve(io.cwd(), file), 'utf8');
  } catch (error) {
    throw new CtxsimError('unreadable', `${file}: ${(error as Error).message}`, remedyFor(file));
  }
}
