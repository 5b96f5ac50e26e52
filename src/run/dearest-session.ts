import { labelled, tracedRows } from '../analysis/index.ts';
import {
  bestSetting,
  costOf,
  mergeLedgers,
  namedRow,
  type ResultDetail,
  type SessionOutcome,
} from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { compareText, type Session } from '../session/index.ts';
import { type JobOptions, type Origin, replaySession } from './job.ts';

/** A session, and where it came from. */
export interface ReadSession {
  readonly session: Session;
  readonly origin: Origin;
}

/**
 * Remembers the session that costs the baseline most, whatever the order: the one that a report shows request by request. One
 * that the baseline could not send is in no bill, and is remembered only where all are such.
 */
export class DearestSession {
  readonly #baseline: number;
  #found: (ReadSession & Rank) | undefined;

  constructor(baseline: number) {
    this.#baseline = baseline;
  }

  get found(): ReadSession | undefined {
    return this.#found;
  }

  /** `outcome` is what became of the session under the first scenario. */
  offer(read: ReadSession, outcome: SessionOutcome | undefined): void {
    const row = outcome?.rows[this.#baseline]?.best;
    if (row === undefined || row.lacks !== undefined) return;
    const usd = costOf(mergeLedgers([row.ledger])).total;
    const before = this.#found;
    const rank = { usd, isSendable: row.unsendable === 0, hasWords: outcome?.hasWords === true };
    if (
      !before ||
      isAbove(rank, before) ||
      (!isAbove(before, rank) && compareText(read.session.id, before.session.id) < 0)
    )
      this.#found = { session: read.session, origin: read.origin, ...rank };
  }
}

/** What makes a session worth showing, the weightiest first. */
interface Rank {
  readonly isSendable: boolean;
  /** Of the baseline, US dollars. */
  readonly usd: number;
  /** A content-free copy costs as much, and is dropped. */
  readonly hasWords: boolean;
}

function isAbove(a: Rank, b: Rank): boolean {
  if (a.isSendable !== b.isSendable) return a.isSendable;
  return a.usd === b.usd ? a.hasWords && !b.hasWords : a.usd > b.usd;
}

/** Replays it once more, with every request by itself: traces are large, so those of the other sessions are never made. */
export function tracedOutcome({ session, origin }: ReadSession, job: JobOptions): Promise<SessionOutcome> {
  return replaySession(session, origin, { ...job, lifetimeMultiples: undefined, explain: 'requests' });
}

/** The requests of that session under the baseline of the first scenario and under the row that the answer names, if it is one of that scenario. */
export async function traceOf(
  dearest: ReadSession | undefined,
  [scenario, ...others]: readonly { readonly name: string; readonly job: JobOptions }[],
  result: Result,
): Promise<ResultDetail['trace']> {
  if (!dearest || !scenario) return null;
  const { job, name } = scenario;
  const specs = new Map(job.rows.map((spec) => [others.length > 0 ? labelled(spec.label, name) : spec.label, spec]));
  const own = result.rows.filter(({ label }) => specs.has(label));
  const named = namedRow(result);
  const best = named && own.includes(named) ? named : bestSetting(own);
  const labels = [...new Set(own.filter((row) => row.isBaseline || row === best).map(({ label }) => label))];
  const rows = labels.flatMap((label) => specs.get(label) ?? []);
  const outcome = await tracedOutcome(dearest, { ...job, rows, baseline: 0 });
  return { id: outcome.id, file: outcome.file, rows: tracedRows(outcome, labels) };
}
