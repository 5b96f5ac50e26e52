import type { CacheFees, RateCard } from '../providers/provider.ts';
import type { Usage } from '../session/index.ts';
import { Ledger } from './ledger.ts';
import type { LaneModel } from './timeline.ts';

/** What cached contents of one model were billed under one tier. */
export interface FeeEntry {
  readonly card: RateCard;
  /** Index into the card's tiers. */
  readonly tier: number;
  /** What was created, as `cacheWrite5m`; it is billed at the price of fresh input. */
  readonly usage: Usage;
  /** Storage, tokens times milliseconds: an integer, exact up to 2^53, which is 2,500 million tokens for an hour. */
  readonly tokenMilliseconds: number;
  readonly usdPerMTokHour: number;
}

/** The contents that a lane's client created, and their storage. */
export class FeeBook {
  readonly #models: readonly LaneModel[];
  readonly #ledgers: (Ledger | undefined)[] = [];
  readonly #storage: { tokenMilliseconds: number; usdPerMTokHour: number }[] = [];

  constructor(models: readonly LaneModel[]) {
    this.#models = models;
  }

  /** Adds what one request cost besides its tokens. */
  add(model: number, { created, tokenMilliseconds }: CacheFees, usdPerMTokHour = 0): void {
    if (created === 0 && tokenMilliseconds === 0) return;
    const ledger = this.#ledgers[model] ?? new Ledger([this.#models[model] as LaneModel]);
    this.#ledgers[model] = ledger;
    ledger.add(0, created, { read: 0, write5m: created, write1h: 0, fresh: 0 }, 0);
    const storage = this.#storage[model] ?? { tokenMilliseconds: 0, usdPerMTokHour };
    storage.tokenMilliseconds += tokenMilliseconds;
    this.#storage[model] = storage;
  }

  /** What was created by model and tier, the storage of a model with its first entry. */
  entries(): FeeEntry[] {
    return this.#ledgers.flatMap((ledger, model) =>
      (ledger?.entries() ?? []).map(({ tier, usage }, index) => ({
        card: (this.#models[model] as LaneModel).card,
        tier,
        usage,
        tokenMilliseconds: index === 0 ? (this.#storage[model]?.tokenMilliseconds ?? 0) : 0,
        usdPerMTokHour: this.#storage[model]?.usdPerMTokHour ?? 0,
      })),
    );
  }
}
