import { writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { CtxsimError } from '../errors.ts';
import { reporters } from '../reporters/index.ts';
import type { Reporter } from '../reporters/reporter.ts';
import type { Result } from '../results/result.ts';
import type { Io } from './io.ts';

/** Options of every command that prints a result. */
export interface OutputFlags {
  readonly format: string;
  readonly output?: readonly string[];
}

/** Where a result goes, and in which formats. */
export interface Outputs {
  readonly reporter: Reporter;
  readonly files: readonly { readonly file: string; readonly reporter: Reporter }[];
  /** One of the formats shows what the rows paid for, and requests. */
  readonly showsDetail: boolean;
}

/** The formats that the flags name. @throws CtxsimError for one that does not exist. */
export function outputsOf({ format, output = [] }: OutputFlags): Outputs {
  const files = output.map((file) => ({ file, reporter: reporterOf(file) }));
  const reporter = reporters.get(format);
  const used = files.length === 0 ? [reporter] : files.map((each) => each.reporter);
  return { reporter, files, showsDetail: used.some((each) => each.showsDetail === true) };
}

/** Writes a result to the files that were named, or prints it. @throws CtxsimError `unwritable`. */
export async function writeResult(io: Io, result: Result, { reporter, files }: Outputs): Promise<void> {
  for (const { file, reporter: own } of files) {
    const text = await own.render(result, { color: false });
    try {
      writeFileSync(resolve(io.cwd(), file), text);
    } catch (error) {
      throw new CtxsimError(
        'unwritable',
        `-o ${file}: ${(error as Error).message}`,
        'Check that the folder exists and may be written.',
      );
    }
  }
  if (files.length === 0) io.out(await reporter.render(result, { width: io.width, color: io.colorOut }));
}

function reporterOf(file: string): Reporter {
  const reporter = reporters.all.find(({ extensions }) => extensions.includes(extname(file)));
  if (reporter) return reporter;
  const known = reporters.all.flatMap(({ extensions }) => extensions);
  throw new CtxsimError(
    'unknown-name',
    `-o ${file}: no format has the ending "${extname(file)}"`,
    `Known: ${known.join(', ')}.`,
  );
}
