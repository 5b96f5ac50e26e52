import { CtxsimError } from '../errors.ts';
import { type Result, resultSchema } from './result.ts';

/**
 * A stored result, from the text of its file. `remedy` says how such a file is made.
 * @throws CtxsimError `bad-result`, naming the file, the place in it and the remedy.
 */
export function parseResult(text: string, file: string, remedy: string): Result {
  const content = parsed(text, file, remedy);
  const result = resultSchema.safeParse(content);
  if (result.success) return checked(result.data, file, remedy);
  const schema = (content as { schema?: unknown } | null)?.schema;
  if (schema !== 'ctxsim.result/1') {
    const found = schema === undefined ? 'no schema is named in it' : `its schema is ${JSON.stringify(schema)}`;
    throw new CtxsimError('bad-result', `${file}: not a result of schema ctxsim.result/1: ${found}`, remedy);
  }
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') || 'the top';
  throw new CtxsimError('bad-result', `${file}: at ${place}: ${issue?.message ?? 'not a result'}`, remedy);
}

function parsed(text: string, file: string, remedy: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CtxsimError('bad-result', `${file}: not JSON: ${(error as Error).message}`, remedy);
  }
}

/** What the schema cannot say: that every line has rates, and every session a row for each of its scenarios. */
function checked(result: Result, file: string, remedy: string): Result {
  const { basis } = result;
  if (!basis) return result;
  const wrong = (place: string) =>
    new CtxsimError('bad-result', `${file}: at basis.${place}: it does not fit the rest of the result`, remedy);
  basis.sessions.forEach((scenarios, index) => {
    if (scenarios.length !== basis.scenarios.length) throw wrong(`sessions.${index}`);
    scenarios.forEach(({ rows }, scenario) => {
      if (rows.length !== basis.scenarios[scenario]?.rows.length) throw wrong(`sessions.${index}.${scenario}.rows`);
      const bills = rows
        .flatMap(({ best, recorded }) => (recorded ? [best, recorded] : [best]))
        .flatMap(({ bill, calls = [], parts = [], refetch, even }) => [
          ...[...bill, ...calls, ...parts.flatMap((part) => part.bill)],
          ...[...(refetch?.bill ?? []), ...(even?.atLifetimes.flat() ?? [])],
        ]);
      if (bills.some(([rates = -1]) => rates >= basis.rates.length)) throw wrong(`sessions.${index}.${scenario}.rows`);
    });
  });
  return result;
}
