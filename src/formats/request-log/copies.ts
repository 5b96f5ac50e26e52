import type { SeenRequests } from '../format.ts';
import type { LogRow } from './rows.ts';

/** The rows of one table against those of the tables before it: exports overlap, and each request was billed once. */
export class CopiedRows {
  readonly #seen: SeenRequests;
  #own: string[] = [];

  constructor(seen: SeenRequests) {
    this.#seen = seen;
  }

  /** True if an earlier table has the row: the same session, time, model and counts. Without a time nobody knows. */
  isCopy(row: LogRow): boolean {
    if (row.time === undefined) return false;
    const { session, time, model, prompt, output, usage } = row;
    const classes = usage ? `${usage.cacheRead}:${usage.cacheWrite5m}:${usage.cacheWrite1h}` : '-';
    const key = `request-log:${session}:${time}:${model}:${prompt}:${output}:${classes}`;
    if (this.#seen.has(key)) return true;
    this.#own.push(key);
    return false;
  }

  /** Makes the rows known. Not before the end of their table: in one table equal rows are two requests. */
  publish(): void {
    for (const key of this.#own) this.#seen.add(key);
    this.#own = [];
  }
}
