/** Shown for a number that is unknown, never for one that is zero. */
export const unknown = '-';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const fine = new Intl.NumberFormat('en-US', { minimumFractionDigits: 4, maximumFractionDigits: 4 });
const tiny = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

type Maybe = number | null | undefined;

/** US dollars: cents from one dollar on, four decimals below, two significant digits where those would show nothing. */
export function formatUsd(usd: Maybe): string {
  if (!isKnown(usd)) return unknown;
  const size = Math.abs(usd);
  const digits = size >= 0.99995 || size === 0 ? cents : size >= 0.0001 ? fine : tiny;
  return `${usd < 0 ? '-' : ''}$${digits.format(size)}`;
}

/** A fraction as per cent with one decimal: `21.3 %`. */
export function formatPercent(fraction: Maybe): string {
  return isKnown(fraction) ? `${percentDigits(fraction)} %` : unknown;
}

/** A fraction as per cent with its sign: `+21.3 %`, `-3.1 %`, and `0.0 %` without one. */
export function formatSignedPercent(fraction: Maybe): string {
  if (!isKnown(fraction)) return unknown;
  const digits = percentDigits(fraction);
  return `${Number(digits) > 0 ? '+' : ''}${digits} %`;
}

/** An interval of fractions as per cent: `19.8 to 22.9 %`. */
export function formatPercentRange(range: readonly [number, number] | null | undefined): string {
  return range ? `${percentDigits(range[0])} to ${percentDigits(range[1])} %` : unknown;
}

/** Tokens in the largest unit that leaves at least one digit before the point: `950`, `4.5k`, `12.3M`, `1.2B`. */
export function formatTokens(tokens: Maybe): string {
  if (!isKnown(tokens)) return unknown;
  const unit = tokenUnits.find(({ from }) => tokens >= from);
  return unit ? `${(tokens / unit.size).toFixed(1)}${unit.suffix}` : whole.format(tokens);
}

/** Each unit begins where the next smaller one would round to a thousand: 999,950 tokens are 1.0M, not 1000.0k. */
const tokenUnits = [
  { suffix: 'B', size: 1e9, from: 999_950_000 },
  { suffix: 'M', size: 1e6, from: 999_950 },
  { suffix: 'k', size: 1e3, from: 1_000 },
] as const;

/** A whole number with thousands separators: `5,034`. */
export function formatCount(count: Maybe): string {
  return isKnown(count) ? whole.format(count) : unknown;
}

/** A count with its noun: `1 session`, `44 sessions`. */
export function formatCounted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Tokens that something records and no bill holds, behind its name: ` (4,001 tokens in and 37 out, not billed)`. */
export function formatUnbilled(tokens: { readonly input: number; readonly output: number } | undefined): string {
  return tokens ? ` (${formatCount(tokens.input)} tokens in and ${formatCount(tokens.output)} out, not billed)` : '';
}

/** Milliseconds in the largest unit that leaves at least one before the point: `12 s`, `6 min`, `2.3 h`, `4.0 d`. */
export function formatPause(milliseconds: Maybe): string {
  if (!isKnown(milliseconds)) return unknown;
  const seconds = milliseconds / 1000;
  if (seconds < 59.5) return `${whole.format(seconds)} s`;
  if (seconds < 59.5 * 60) return `${whole.format(seconds / 60)} min`;
  return seconds < 24 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / (24 * 3600)).toFixed(1)} d`;
}

function isKnown(value: Maybe): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** One decimal; a value that rounds to zero has no sign. */
function percentDigits(fraction: number): string {
  const digits = (fraction * 100).toFixed(1);
  return digits === '-0.0' ? '0.0' : digits;
}
