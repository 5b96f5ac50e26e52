import type { LogRow } from './rows.ts';

/** The part of a lane's last prompt that a request must have read to be known as its next one. */
const sharedPart = 0.9;
/** A request goes on with one of this many contexts that were used last: no harness has more agents at work at once. */
const mostAtOnce = 64;

/**
 * The rows of one session by context, each in order: a prompt that is smaller than the one before belongs to another one.
 * Agents that work at the same time are told apart where cache reads are recorded, because a request reads what its own lane
 * sent before and cannot read more than that; and where each has a model of its own and a context that only grows.
 */
export function splitLanes(rows: readonly LogRow[]): LogRow[][] {
  const lanes = splitInOrder(rows);
  const models = [...new Set(rows.map(({ model }) => model))];
  if (models.length === 1 || lanes.length <= models.length) return lanes;
  const apart = models.map((model) => splitInOrder(rows.filter((row) => row.model === model)));
  return apart.every(({ length }) => length === 1) ? apart.flat() : lanes;
}

function splitInOrder(rows: readonly LogRow[]): LogRow[][] {
  const lanes: LogRow[][] = [];
  /** The same lanes, the one of the latest row last. */
  let recent: LogRow[][] = [];
  for (const row of rows) {
    const lane = laneOf(row, recent) ?? [];
    if (lane.length === 0) lanes.push(lane);
    lane.push(row);
    if (lane !== recent.at(-1)) recent = [...recent.filter((it) => it !== lane), lane].slice(-mostAtOnce);
  }
  return lanes;
}

function laneOf(row: LogRow, recent: readonly LogRow[][]): LogRow[] | undefined {
  const latest = recent.at(-1);
  const fits = latest !== undefined && grewFrom(row, lastOf(latest));
  if (fits && canHaveRead(row, lastOf(latest))) return latest;
  const other = recent.slice(0, -1).findLast((lane) => didRead(row, lastOf(lane)));
  return other ?? (fits ? latest : undefined);
}

/** True if the request carries all that the one before it carried. */
function grewFrom(row: LogRow, last: LogRow): boolean {
  return row.prompt >= last.prompt;
}

function canHaveRead({ usage }: LogRow, last: LogRow): boolean {
  return usage === undefined || usage.cacheRead <= last.prompt + last.output;
}

function didRead(row: LogRow, last: LogRow): boolean {
  const read = row.usage?.cacheRead ?? 0;
  return read > 0 && grewFrom(row, last) && canHaveRead(row, last) && read >= last.prompt * sharedPart;
}

function lastOf(lane: readonly LogRow[]): LogRow {
  return lane.at(-1) as LogRow;
}
