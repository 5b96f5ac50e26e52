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

/** A rate that a flag was given, `0.3` or `30%`; it may be above one. @throws CtxsimError `out-of-range` naming the flag. */
export function rate(flag: string, text: string): number {
  const value = /^\d+(\.\d+)?%?$/.test(text)
    ? Number(text.replace('%', '')) / (text.endsWith('%') ? 100 : 1)
    : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new CtxsimError('out-of-range', `${flag} ${text} is out of range`, 'Write 0.3 or 30%.');
}
