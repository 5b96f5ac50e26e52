import { promptTokens } from '../session/index.ts';
import type { LedgerLine } from './ledger-line.ts';
import type { ResultRow } from './result.ts';

/** From this share on, tokens without a price are said beside a verdict: at one hundredth of a bill verdicts turn (README, "Verdicts"). */
export const notableUnpriced = 0.01;

/** Prompt and output tokens of a ledger that nobody has a price for. */
export function unpricedTokens(ledger: readonly LedgerLine[]): number {
  return ledger.reduce(
    (sum, { unpriced, usage }) => (unpriced === undefined ? sum : sum + promptTokens(usage) + usage.output),
    0,
  );
}

/** The share of a row's tokens that nobody has a price for, 0 where it has none. */
export function unpricedShareOf({
  unpricedTokens: unpriced,
  usage,
}: Pick<ResultRow, 'unpricedTokens' | 'usage'>): number {
  const all = unpriced + promptTokens(usage) + usage.output;
  return all > 0 ? unpriced / all : 0;
}
