import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxsimError } from '../errors.ts';
import { createRegistry } from '../registry.ts';
import { reporters } from '../reporters/index.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { type Io, say } from './io.ts';

/** Options of every command that prints a result. */
export interface OutputFlags {
  readonly format: string;
  readonly output?: readonly string[];
}

/** Where a result goes: files, each in the format of its ending, or standard output. */
export interface Outputs {
  readonly printed: Reporter;
  readonly files: readonly { readonly file: string; readonly reporter: Reporter }[];
  /** One of the formats shows what the rows paid for, and requests. */
  readonly showsDetail: boolean;
}

/** GitHub drops a job summary of more than 1 MiB per step (ecosystem.md §3). */
const largestSummary = 900_000;

/**
 * Where a result goes; `canRender`: whether a format is for such a result at all.
 * @throws CtxsimError for a format or an ending that is not known.
 */
export function outputsOf(
  { format, output = [] }: OutputFlags,
  canRender: (reporter: Reporter) => boolean = () => true,
): Outputs {
  const known = createRegistry(
    'output format',
    reporters.all.filter((reporter) => canRender(reporter)),
  );
  const files = output.map((file) => ({ file, reporter: reporterOf(file, known.all) }));
  const printed = known.get(format);
  const used = files.length === 0 ? [printed] : files.map(({ reporter }) => reporter);
  return { printed, files, showsDetail: used.some((reporter) => reporter.showsDetail === true) };
}

/** The reporter of the longest ending that fits: `costs.bench.json` is no `.json`. */
function reporterOf(file: string, known: readonly Reporter[]): Reporter {
  const endings = known
    .flatMap((reporter) => reporter.extensions.map((ending) => ({ ending, reporter })))
    .sort((a, b) => b.ending.length - a.ending.length);
  const found = endings.find(({ ending }) => file.toLowerCase().endsWith(ending));
  if (found) return found.reporter;
  const ending = /\.[^./\\]*$/.exec(file)?.[0] ?? '';
  throw new CtxsimError(
    'unknown-name',
    `-o ${file}: no format has the ending "${ending}"`,
    `Known: ${endings.map((each) => each.ending).join(', ')}.`,
  );
}

/**
 * Writes a result to its files, or prints it where there are none. What is meant for GitHub is added to the job summary as well,
 * where there is one.
 */
export async function writeOutputs(
  io: Io,
  { printed, files }: Pick<Outputs, 'printed' | 'files'>,
  render: (
    reporter: Reporter,
    to: { readonly width?: number | undefined; readonly color: boolean },
  ) => string | Promise<string>,
): Promise<void> {
  for (const { file, reporter } of files) writeText(io, file, await render(reporter, { color: false }));
  if (files.length === 0) io.out(await render(printed, { width: io.width, color: io.colorOut }));
  if (usesGithub({ printed, files })) appendSummary(io, await render(reporters.get('github'), { color: false }));
}

/** Whether anything is written for GitHub. */
export function usesGithub({ printed, files }: Pick<Outputs, 'printed' | 'files'>): boolean {
  const used = files.length === 0 ? [printed] : files.map(({ reporter }) => reporter);
  return used.some(({ name }) => name === 'github');
}

type WriteText = (path: string, text: string) => void;

/** @throws CtxsimError `unwritable`. */
export function writeText(io: Io, file: string, text: string, flag = '-o', write: WriteText = writeFileSync): void {
  try {
    write(resolve(io.cwd(), file), text);
  } catch (error) {
    throw new CtxsimError(
      'unwritable',
      `${flag} ${file}: ${(error as Error).message}`,
      'Check that the folder exists and may be written.',
    );
  }
}

function appendSummary(io: Io, text: string): void {
  const file = io.env.GITHUB_STEP_SUMMARY;
  if (!file) return;
  const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (before + Buffer.byteLength(text) > largestSummary) say(io, 'the job summary is full: nothing was added to it\n');
  else writeText(io, file, text, '$GITHUB_STEP_SUMMARY', appendFileSync);
}
