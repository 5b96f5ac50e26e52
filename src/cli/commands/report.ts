import { mergeResults } from '../../analysis/index.ts';
import { exitCodes } from '../../errors.ts';
import type { Io } from '../io.ts';
import { type OutputFlags, outputsOf, writeOutputs } from '../outputs.ts';
import { readResult } from '../stored-result.ts';

/** `ctxsim report`: a stored result in another format, or several of disjoint sessions as one. */
export async function report(io: Io, files: readonly string[], flags: OutputFlags): Promise<number> {
  const outputs = outputsOf(flags);
  const named = [...files]
    .sort()
    .map((name) => ({ name, result: readResult(io, name, 'ctxsim replay PATHS -o RESULT.json') }));
  const [only] = named;
  const result = only && named.length === 1 ? only.result : mergeResults(named);
  await writeOutputs(io, outputs, (reporter, to) => reporter.render(result, to));
  return exitCodes.done;
}
