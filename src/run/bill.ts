import type { BillAttribution, RefetchRisk } from '../analysis/index.ts';
import { tierFor } from '../providers/index.ts';
import { cardAt, type RateCard } from '../providers/provider.ts';
import { type FeeEntry, type LaneReplay, type LedgerEntry, type SpendSplit, spendColumns } from '../replay/index.ts';
import {
  type BillPart,
  expectedLedger,
  type LedgerLine,
  mergeLedgers,
  type RefetchOutcome,
  type RequestTrace,
  type RowOutcome,
  type SpendKind,
  spendKinds,
} from '../results/index.ts';
import { type AbandonedRequest, promptTokens, type Session } from '../session/index.ts';

/** What a replay cost, in tokens per set of rates, with the session's abandoned requests. */
export function rowOutcome(replay: LaneReplay, abandoned: readonly LedgerLine[]): RowOutcome {
  const ledger = replay.ledger.map(({ card, tier, usage }) => ({ ...tierOf(card, tier), usage }));
  const calls = replay.calls.map(({ card, tier, usage }) => ({ ...tierOf(card, tier), usage }));
  return {
    ledger: mergeLedgers([ledger, calls, replay.fees.map(feeLine), abandoned]),
    calls,
    callCounts: replay.callCounts,
    edits: replay.edits,
    unsendable: replay.unsendable,
  };
}

/** What a watched replay paid for, its abandoned requests among it; and its requests, where they were kept. */
export function explainedBill(
  { parts, requests, peakPrompt }: BillAttribution,
  { fees }: LaneReplay,
  abandoned: readonly LedgerLine[],
  refetches: readonly LedgerLine[],
): { parts: BillPart[]; requests: RequestTrace[]; peakPrompt: number } {
  const counted = [...parts.values()].map(({ name, times, tiers }) => ({
    ...name,
    times,
    ledger: [...tiers.values()].map(({ card, tier, usage }) => ({ ...tierOf(card, tier), usage })),
  }));
  const others = [
    { kind: 'contents', times: fees.length, ledger: fees.map(feeLine) },
    { kind: 'refetch', times: refetches.length, ledger: refetches },
    { kind: 'abandoned', times: abandoned.length, ledger: abandoned },
  ] as const;
  return {
    peakPrompt,
    parts: [...counted, ...others.filter(({ times }) => times > 0)],
    requests: requests.map(({ card, tier, usage, ...request }) => ({
      ...request,
      line: { ...tierOf(card, tier), usage },
    })),
  };
}

/** What a watched replay took out of the context, and what reading again would cost. */
export function refetchOutcome(risk: RefetchRisk): RefetchOutcome {
  return {
    elided: risk.elided.size,
    atRisk: risk.atRisk.size,
    ledger: risk.entries().map(({ card, tier, usage }) => ({ ...tierOf(card, tier), usage })),
  };
}

/** Charges what reading the results at risk again would cost, `rate` times each. */
export function withRefetches(outcome: RowOutcome, refetch: RefetchOutcome | undefined, rate: number): RowOutcome {
  const charge = refetchCharge(refetch, rate);
  return charge.length === 0 ? outcome : { ...outcome, ledger: [...outcome.ledger, ...charge] };
}

/** What is charged for reading the results at risk `rate` times each. */
export function refetchCharge(refetch: RefetchOutcome | undefined, rate: number): LedgerLine[] {
  return refetch && rate > 0 ? expectedLedger(refetch.ledger, rate) : [];
}

/** Contents are created at the price of input; their storage has a price of its own. */
function feeLine({ card, tier, usage, tokenMilliseconds, usdPerMTokHour }: FeeEntry): LedgerLine {
  const { key, rates } = tierOf(card, tier);
  return {
    key: `${key} contents at ${usdPerMTokHour}`,
    rates: { ...rates, cacheWrite5m: rates.fresh },
    usage,
    storage: { tokenMilliseconds, usdPerMTokHour },
  };
}

/** Requests of branches that were rewound: billed as recorded, alike in every row. */
export function abandonedLedger(session: Session, cardOf: (request: AbandonedRequest) => RateCard): LedgerLine[] {
  return session.abandoned.map((request) => {
    const { usage } = request;
    const card = cardAt(cardOf(request), request.time);
    return { ...tierOf(card, card.tiers.indexOf(tierFor(card, promptTokens(usage)))), usage };
  });
}

/** Dollars of a replay by what they paid for; abandoned requests, whose content is unknown, are left out. */
export function spendDollars(split: SpendSplit, ledger: readonly LedgerEntry[]): Record<SpendKind, number> {
  const spend = Object.fromEntries(spendKinds.map((kind) => [kind, 0])) as Record<SpendKind, number>;
  for (const { card, tier, tokens } of split.tables()) {
    const { rates } = tierOf(card, tier);
    [rates.fresh, rates.cacheRead, rates.cacheWrite5m, rates.cacheWrite1h].forEach((rate, billed) => {
      spendColumns.forEach((kind, column) => {
        spend[kind] += ((tokens[billed * spendColumns.length + column] ?? 0) * rate) / 1e6;
      });
    });
  }
  for (const { card, tier, usage } of ledger) {
    spend.output += (usage.output * tierOf(card, tier).rates.output) / 1e6;
  }
  return spend;
}

/** The rates of a tier, and what they are known by. */
export function tierOf(card: RateCard, tier: number) {
  const rates = card.tiers[tier]?.rates;
  if (!rates) throw new Error(`no tier ${tier} of ${card.id}`);
  return { key: `${card.id}#${tier}`, rates, ...(card.unpriced ? { unpriced: card.model } : {}) };
}
