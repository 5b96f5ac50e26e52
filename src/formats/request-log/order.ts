import { splitLanes } from './lanes.ts';
import type { LogRow } from './rows.ts';

/** The rows of one session in the order in which they were sent, and how that is known. */
export interface Ordered {
  readonly rows: readonly LogRow[];
  /** `file`: as they stand. `size`: nothing but the growth of the prompts says that the newest stand first. */
  readonly by: 'file' | 'time' | 'size';
  /** Rows without a time among others that had to be sorted: they were put where their prompts fit. */
  readonly unsure: number;
}

/** At most this share of steps against the rest makes a log one that runs in one direction. */
const strays = 0.1;

/** With more rows than this of one time, on average, the clock is coarse: then the file tells their order, and not their size. */
const mostAtOneTime = 3;

/**
 * Exports are often newest first, or in no order. A context grows until it is reset: of the orders that the times allow, and
 * that of the file, the one that needs fewest resets is right. So agents exported one behind the other stay apart.
 */
export function inOrder(rows: readonly LogRow[]): Ordered {
  const asIs: Ordered = { rows, by: 'file', unsure: 0 };
  const steps = timeSteps(rows);
  if (steps.length === 0) return fewestLanes([asIs, { rows: rows.toReversed(), by: 'size', unsure: 0 }]);
  const back = steps.filter((step) => step < 0).length / steps.length;
  const runsOn: Ordered = { rows: sortedWithNeighbours(rows), by: 'time', unsure: 0 };
  const runsBack: Ordered = { rows: sortedWithNeighbours(rows.toReversed()), by: 'time', unsure: 0 };
  const isCoarse = rows.length > mostAtOneTime * new Set(rows.map(({ time }) => time)).size;
  return fewestLanes([
    ...(back === 0 ? [asIs] : []),
    ...(back > 0 && back <= strays ? [runsOn] : []),
    ...(back >= 1 - strays ? [runsBack] : []),
    ...(isCoarse && back <= strays ? [] : [byTimeAndSize(rows)]),
    asIs,
  ]);
}

/** The first of these with the fewest. */
function fewestLanes(orders: readonly Ordered[]): Ordered {
  const lanes = orders.map((order) => lanesIn(order.rows));
  return orders[lanes.indexOf(Math.min(...lanes))] as Ordered;
}

function lanesIn(rows: readonly LogRow[]): number {
  return splitLanes(rows).length;
}

/** How the time moves between rows that have one, where it moves at all. */
function timeSteps(rows: readonly LogRow[]): number[] {
  const times = rows.flatMap(({ time }) => time ?? []);
  return times.flatMap((time, at) => (at > 0 && time !== times[at - 1] ? time - (times[at - 1] as number) : []));
}

/** Of one time the smaller prompt was sent first, unless the context was reset within it; one without a time stands where it fits. */
function byTimeAndSize(rows: readonly LogRow[]): Ordered {
  const timed = rows.filter(({ time }) => time !== undefined);
  const timeless = rows.filter(({ time }) => time === undefined).toSorted((a, b) => a.prompt - b.prompt);
  const placed = timed.toSorted((a, b) => timeOf(a) - timeOf(b) || a.prompt - b.prompt);
  for (const row of timeless) {
    const at = placed.findIndex(({ prompt }) => prompt > row.prompt);
    placed.splice(at === -1 ? placed.length : at, 0, row);
  }
  return { rows: placed, by: 'time', unsure: timeless.length };
}

/** Rows in nearly the right order, sorted by time; one without a time stays behind the one before it. */
function sortedWithNeighbours(rows: readonly LogRow[]): LogRow[] {
  let last = Number.NEGATIVE_INFINITY;
  const timed = rows.map((row) => {
    last = row.time ?? last;
    return { row, time: last };
  });
  return timed.toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ row }) => row);
}

function timeOf({ time }: LogRow): number {
  return time ?? 0;
}
