import type { Result } from '../results/result.ts';
import type { Drawn } from '../text/index.ts';

/** Fills a cell from the left, in eighths. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;
const full = '█';
/** Unicode has one block that fills a cell from the right in part: the half. */
const rightHalf = '▐';
const zeroLine = '│';

/** The scale of a column of bars: the ends of its values, zero among them, and the cells that it may take. */
export interface BarScale {
  readonly low: number;
  readonly high: number;
  readonly width: number;
}

/** A scale on which all values and zero fit; null where nothing differs from zero. */
export function scaleOf(values: readonly number[], width: number): BarScale | null {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  return high > low ? { low, high, width } : null;
}

/** A bar from the zero line to the value: to the right what is saved, to the left what is lost. As wide as its scale. */
export function bar(value: number, { low, high, width }: BarScale): string {
  const cells = width - zeroLine.length;
  // A side that holds any value has at least one cell.
  const left = low < 0 ? clamp(Math.round((cells * -low) / (high - low)), 1, high > 0 ? cells - 1 : cells) : 0;
  const right = cells - left;
  return `${leftPart(low < 0 ? Math.max(0, value / low) * left : 0, left)}${zeroLine}${rightPart(high > 0 ? Math.max(0, value / high) * right : 0, right)}`;
}

function leftPart(length: number, width: number): string {
  const halves = Math.round(length * 2);
  const drawn = `${halves % 2 === 1 ? rightHalf : ''}${full.repeat(halves >> 1)}`;
  return drawn.padStart(width);
}

function rightPart(length: number, width: number): string {
  const parts = Math.round(length * 8);
  const drawn = `${full.repeat(parts >> 3)}${eighths[parts % 8] ?? ''}`;
  return drawn.padEnd(width);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Fewer cells than this show no curve. */
const leastBar = 10;

/** More cells than this show no finer curve. */
const mostBar = 40;

/** Savings as bars from a common zero line. */
export function barsOf(rows: Result['rows']): Drawn {
  const values = rows.flatMap(({ saving }) => saving ?? []);
  const cell = (at: number, width: number) => {
    const scale = scaleOf(values, width);
    const saving = rows[at]?.saving ?? null;
    return scale && saving !== null ? bar(saving, scale).trimEnd() : '';
  };
  return { least: leastBar, most: mostBar, cell };
}
