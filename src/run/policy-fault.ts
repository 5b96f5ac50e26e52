import { CtxsimError } from '../errors.ts';

const code = 'bad-policy-file';

/** The error for what a policy of the user's own does wrong: the file, what it was doing, and the line where it threw. */
export function policyFault(file: string, doing: string, error: unknown): CtxsimError {
  if (isPolicyFault(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CtxsimError(code, `${file}${lineOf(file, error)}: ${doing}: ${message}`, hintFor(error, message), error);
}

/** Such an error is about the command, not about one session: nothing goes on after it. */
export function isPolicyFault(error: unknown): error is CtxsimError {
  return error instanceof CtxsimError && error.code === code;
}

function hintFor(error: unknown, message: string): string {
  if (message.includes("Cannot find package 'ctxsim'")) return withoutPackage;
  return (error instanceof CtxsimError ? error.hint : undefined) ?? help;
}

const withoutPackage =
  'Install ctxsim beside the file, or export the plain object: definePolicy does nothing but give it its types.';
const help = 'The README says what a policy of your own looks like, and examples/newest-results.mjs is one.';

/** `:12` where the stack shows that line of the file. */
function lineOf(file: string, error: unknown): string {
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const frame =
    error instanceof Error ? error.stack?.split('\n').find((line) => line.includes(`/${name}:`)) : undefined;
  const line = frame === undefined ? undefined : /:(\d+):\d+\)?$/.exec(frame)?.[1];
  return line === undefined ? '' : `:${line}`;
}
