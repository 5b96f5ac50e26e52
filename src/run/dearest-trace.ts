import { costOf, mergeLedgers, type SessionOutcome } from '../results/index.ts';
import { compareText } from '../session/index.ts';

/** One session under every scenario. */
type Outcomes = readonly SessionOutcome[];

/**
 * Collects outcomes. Traces of requests are large and those of one session are shown: the session that cost the baseline of the
 * first scenario most keeps its own, whatever the order.
 */
export class DearestTrace {
  readonly outcomes: Outcomes[] = [];
  readonly #baseline: number;
  #dearest: { readonly at: number; readonly usd: number; readonly outcome: SessionOutcome } | undefined;

  constructor(baseline: number) {
    this.#baseline = baseline;
  }

  add(outcomes: Outcomes): void {
    const at = this.outcomes.length;
    this.outcomes.push(outcomes);
    const [first] = outcomes;
    const row = first?.rows[this.#baseline]?.best;
    if (first === undefined || row?.requests === undefined) return;
    const usd = costOf(mergeLedgers([row.ledger])).total;
    const before = this.#dearest;
    if (!before || usd > before.usd || (usd === before.usd && isBefore(first, before.outcome))) {
      this.#dearest = { at, usd, outcome: first };
      if (before) this.#forget(before.at);
    } else this.#forget(at);
  }

  #forget(at: number): void {
    this.outcomes[at] = (this.outcomes[at] ?? []).map((outcome) => ({
      ...outcome,
      rows: outcome.rows.map(({ best: { requests: _, ...best }, recorded }) => ({ best, recorded })),
    }));
  }
}

/** Of two that cost the same: one with words, because content-free copies of it are dropped in the end; else by id. */
function isBefore(a: SessionOutcome, b: SessionOutcome): boolean {
  return a.hasWords === b.hasWords ? compareText(a.id, b.id) < 0 : a.hasWords;
}
