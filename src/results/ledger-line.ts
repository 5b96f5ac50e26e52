import type { Usage, UsageClass } from '../session/index.ts';

/** US dollars per million tokens, by usage class. */
export type RatesPerMTok = Readonly<Record<UsageClass, number>>;

/** Tokens that were billed at one set of rates. */
export interface LedgerLine {
  /** Names the rates: price card and tier. Lines with equal keys have equal rates. */
  readonly key: string;
  readonly rates: RatesPerMTok;
  readonly usage: Usage;
  /** Not replayed but expected: the rates are scaled by how likely it is, and its tokens are in no usage. */
  readonly expected?: true;
  /** The model, where nobody has a price for it: the rates are zeros then, and mean nothing. */
  readonly unpriced?: string | undefined;
  /** Cached contents that were kept: tokens times milliseconds (an integer), and US dollars for a million tokens an hour. */
  readonly storage?: { readonly tokenMilliseconds: number; readonly usdPerMTokHour: number };
}
