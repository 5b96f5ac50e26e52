import { CtxsimError } from '../src/errors.ts';

/** The error of the user's that `act` throws; anything else fails the test. */
export function errorOf(act: () => unknown): CtxsimError {
  try {
    act();
  } catch (error) {
    if (error instanceof CtxsimError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
