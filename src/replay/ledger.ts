import type { RateCard, Split } from '../providers/provider.ts';
import type { Usage } from '../session/index.ts';

/** Tokens by rate: one entry per card and price tier that a replay used. */
export interface LedgerEntry {
  readonly card: RateCard;
  /** Index into the card's tiers. */
  readonly tier: number;
  readonly usage: Usage;
}

const classes = 5;

/** Adds requests up as integers per card and price tier; money is made later, once. */
export class Ledger {
  readonly #cards: readonly RateCard[];
  readonly #offsets: number[] = [];
  readonly #tokens: Float64Array;

  constructor(cards: readonly RateCard[]) {
    this.#cards = cards;
    let tiers = 0;
    for (const card of cards) {
      this.#offsets.push(tiers);
      tiers += card.tiers.length;
    }
    this.#tokens = new Float64Array(tiers * classes);
  }

  /** Adds one request under the tier that its whole prompt falls into; returns that tier. */
  add(card: number, promptTokens: number, split: Split, output: number): number {
    const { tiers } = this.#cards[card] as RateCard;
    let tier = 0;
    while (tier + 1 < tiers.length && promptTokens > (tiers[tier + 1]?.abovePromptTokens ?? 0)) tier += 1;
    const at = ((this.#offsets[card] as number) + tier) * classes;
    const tokens = this.#tokens;
    tokens[at] = (tokens[at] as number) + split.fresh;
    tokens[at + 1] = (tokens[at + 1] as number) + split.read;
    tokens[at + 2] = (tokens[at + 2] as number) + split.write5m;
    tokens[at + 3] = (tokens[at + 3] as number) + split.write1h;
    tokens[at + 4] = (tokens[at + 4] as number) + output;
    return tier;
  }

  /** What was used, cards and tiers in order. */
  entries(): LedgerEntry[] {
    return this.#cards.flatMap((card, index) =>
      card.tiers.flatMap((_, tier) => {
        const usage = this.#usageAt((this.#offsets[index] as number) + tier);
        return Object.values(usage).some((count) => count > 0) ? [{ card, tier, usage }] : [];
      }),
    );
  }

  #usageAt(row: number): Usage {
    const [fresh = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0] = this.#tokens.subarray(
      row * classes,
      (row + 1) * classes,
    );
    return { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output };
  }
}
