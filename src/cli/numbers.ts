import { CtxsimError } from '../errors.ts';

/** The whole number that a flag was given. @throws CtxsimError `out-of-range` naming the flag. */
export function wholeNumber(flag: string, text: string, min: number): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new CtxsimError(
    'out-of-range',
    `${flag} ${text} is out of range`,
    `It takes a whole number of at least ${min}.`,
  );
}
