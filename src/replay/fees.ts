import type { CacheFees, RateCard } from '../providers/provider.ts';
import { Ledger, type LedgerEntry } from './ledger.ts';

/** What cached contents of one card were billed under one tier: created as `cacheWrite5m`, billed at the price of fresh input. */
export interface FeeEntry extends LedgerEntry {
  /** Storage, tokens times milliseconds: an integer, exact up to 2^53, which is 2,500 million tokens for an hour. */
  readonly tokenMilliseconds: number;
  readonly usdPerMTokHour: number;
}

/** The contents that a lane's client created, and their storage. */
export class FeeBook {
  readonly #fees = new Map<RateCard, { ledger: Ledger; tokenMilliseconds: number; usdPerMTokHour: number }>();

  /** Adds what one request cost besides its tokens. */
  add(card: RateCard, { created, tokenMilliseconds }: CacheFees, usdPerMTokHour = 0): void {
    if (created === 0 && tokenMilliseconds === 0) return;
    const fees = this.#fees.get(card) ?? { ledger: new Ledger([card]), tokenMilliseconds: 0, usdPerMTokHour };
    this.#fees.set(card, fees);
    fees.ledger.add(0, created, { read: 0, write5m: created, write1h: 0, fresh: 0 }, 0);
    fees.tokenMilliseconds += tokenMilliseconds;
  }

  /** What was created by card and tier, the storage of a card with its first entry. */
  entries(): FeeEntry[] {
    return [...this.#fees.values()].flatMap(({ ledger, tokenMilliseconds, usdPerMTokHour }) =>
      ledger
        .entries()
        .map((entry, index) => ({ ...entry, tokenMilliseconds: index === 0 ? tokenMilliseconds : 0, usdPerMTokHour })),
    );
  }
}
