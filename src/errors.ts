/** Exit statuses of the command line (documented in the README). */
export const exitCodes = { done: 0, checkFailed: 1, couldNotAnswer: 2, bug: 3, interrupted: 130 } as const;

/**
 * An error that the user can mend: wrong usage, unreadable input, an unknown name.
 * Anything else that is thrown is a bug in ctxsim and keeps its stack.
 */
export class CtxsimError extends Error {
  readonly code: string;
  /** What to do about it; shown on a line of its own. */
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CtxsimError';
    this.code = code;
    this.hint = hint;
  }
}

/** The same error, saying which file it is about. */
export function inFile(error: CtxsimError, file: string): CtxsimError {
  return new CtxsimError(error.code, `${file}: ${error.message}`, error.hint, error);
}
