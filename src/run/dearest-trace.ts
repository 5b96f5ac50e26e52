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
  #dearest: { readonly at: number; readonly usd: number; readonly id: string } | undefined;

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
    if (!before || usd > before.usd || (usd === before.usd && compareText(first.id, before.id) < 0)) {
      this.#dearest = { at, usd, id: first.id };
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
