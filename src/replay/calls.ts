import { type ExtraCall, type FailedCall, failedCalls } from '../policies/plan.ts';
import type { RateCard, Split } from '../providers/provider.ts';
import { Ledger, type LedgerEntry } from './ledger.ts';
import type { LaneModel } from './timeline.ts';

/** How many extra calls there were: all, by how they reached the model, and those of which nothing came. */
export type CallCounts = Readonly<Record<'total' | ExtraCall['prefix'] | FailedCall, number>>;

/** What the extra calls of a lane were billed: apart from its requests, because they may go to other models. */
export class CallBook {
  /** The lane's models, then those that calls name. */
  readonly models: LaneModel[];
  readonly counts: { -readonly [K in keyof CallCounts]: number };
  readonly #resolve: ((id: string) => LaneModel) | undefined;
  readonly #ledgers = new Map<RateCard, Ledger>();

  constructor(models: readonly LaneModel[], resolve: ((id: string) => LaneModel) | undefined) {
    this.models = [...models];
    this.#resolve = resolve;
    this.counts = { total: 0, fresh: 0, shared: 0, server: 0, ...noFailures() };
  }

  /** Index of the model that a call goes to; `own` is that of the session. Throws what resolving an unknown one throws. */
  modelOf({ model }: ExtraCall, own: number): number {
    if (model === undefined || model === 'main') return own;
    const known = this.models.findIndex(({ name }) => name === model);
    if (known !== -1) return known;
    if (!this.#resolve) throw new Error(`nobody can say what a call to ${model} costs here`);
    return this.models.push(this.#resolve(model)) - 1;
  }

  /** Adds a call under the tier that its whole prompt falls into; returns that tier. */
  add(call: ExtraCall, card: RateCard, split: Split): number {
    const ledger = this.#ledgers.get(card) ?? new Ledger([card]);
    this.#ledgers.set(card, ledger);
    const prompt = split.read + split.write5m + split.write1h + split.fresh;
    const tier = ledger.add(0, prompt, split, call.output);
    this.counts.total += 1;
    this.counts[call.prefix] += 1;
    if (call.outcome) this.counts[call.outcome] += 1;
    return tier;
  }

  /** What was used, cards in the order of their first call. */
  entries(): LedgerEntry[] {
    return [...this.#ledgers.values()].flatMap((ledger) => ledger.entries());
  }
}

function noFailures(): Record<FailedCall, number> {
  return Object.fromEntries(failedCalls.map((outcome) => [outcome, 0])) as Record<FailedCall, number>;
}
