import type { Rates } from '../providers/provider.ts';
import { type Usage, usageClasses } from '../session/index.ts';
import { sumOf } from './sum.ts';

/** One row of a table of token counts. */
export interface CountedRow {
  readonly label: string;
  /** Tokens by class; published tables round them, so that they need not be whole. */
  readonly tokens: Usage;
  /** US dollars that the table says. */
  readonly publishedUsd: number | undefined;
}

/** A row with its cost at some prices. */
export interface PricedRow extends CountedRow {
  readonly usd: number;
  /** Cost minus what the table says; undefined where it says nothing. */
  readonly difference: number | undefined;
  /** Whether the two agree within the tolerance; undefined where there is nothing to compare. */
  readonly fits: boolean | undefined;
}

/** What a table comes to. */
export interface PricedTotals {
  readonly rows: number;
  readonly usd: number;
  /** Rows for which the table says a cost, their sum here and there, and how many agree. */
  readonly compared: number;
  readonly comparedUsd: number;
  readonly publishedUsd: number;
  readonly fitting: number;
  readonly largestDifference: number;
}

/** Rates are quoted in US dollars per this many tokens. */
const tokensPerRate = 1_000_000;

/** A difference of exactly the tolerance agrees, whatever binary fractions make of it. */
export const slackUsd = 1e-9;

/** Prices every row and compares it with what the table says. */
export function priceRows(rows: readonly CountedRow[], rates: Rates, toleranceUsd: number): PricedRow[] {
  return rows.map((row) => {
    const usd = usageClasses.reduce((sum, name) => sum + row.tokens[name] * rates[name], 0) / tokensPerRate;
    const difference = row.publishedUsd === undefined ? undefined : usd - row.publishedUsd;
    const fits = difference === undefined ? undefined : Math.abs(difference) <= toleranceUsd + slackUsd;
    return { ...row, usd, difference, fits };
  });
}

/** Sums of a priced table. */
export function totalsOf(rows: readonly PricedRow[]): PricedTotals {
  const compared = rows.filter(({ difference }) => difference !== undefined);
  return {
    rows: rows.length,
    usd: sumOf(rows.map(({ usd }) => usd)),
    compared: compared.length,
    comparedUsd: sumOf(compared.map(({ usd }) => usd)),
    publishedUsd: sumOf(compared.map(({ publishedUsd }) => publishedUsd ?? 0)),
    fitting: compared.filter(({ fits }) => fits).length,
    largestDifference: Math.max(0, ...compared.map(({ difference }) => Math.abs(difference ?? 0))),
  };
}
