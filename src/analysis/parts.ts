import {
  type BillPart,
  costOf,
  type ExplainedPart,
  type ExplainedRequest,
  type LedgerLine,
  mergeLedgers,
  type PartName,
  type RequestTrace,
  resentCauses,
  type SessionOutcome,
  usageOf,
} from '../results/index.ts';
import { compareText, promptTokens } from '../session/index.ts';
import { sumOf } from './sum.ts';

/** The parts of one row's bill over several sessions, dearest first: integers are added, then dollars are made once. */
export function partsOf(outcomes: readonly SessionOutcome[], row = 0): ExplainedPart[] {
  return mergeParts(outcomes.flatMap(({ rows }) => rows[row]?.best.parts ?? []));
}

/** Parts of bills added up by name, dearest first. */
export function mergeParts(parts: readonly BillPart[]): ExplainedPart[] {
  const byLabel = new Map<string, BillPart[]>();
  for (const part of parts) byLabel.set(labelOf(part), [...(byLabel.get(labelOf(part)) ?? []), part]);
  return [...byLabel]
    .map(([label, same]) => {
      const ledger = mergeLedgers(same.map((part) => part.ledger));
      const { kind, cause, detail } = same[0] as BillPart;
      const usage = usageOf(ledger);
      return {
        kind,
        ...(cause === undefined ? {} : { cause }),
        ...(detail === undefined ? {} : { detail }),
        label,
        times: sumOf(same.map(({ times }) => times)),
        tokens: promptTokens(usage) + usage.output,
        usd: costOf(ledger).total,
        extraUsd: kind === 'resent' ? aboveReading(ledger) : 0,
      };
    })
    .filter(({ tokens, usd }) => tokens > 0 || usd > 0)
    .sort((a, b) => b.usd - a.usd || compareText(a.label, b.label));
}

/** A part in words. */
function labelOf({ kind, cause, detail }: PartName): string {
  if (kind === 'output') return 'output';
  if (kind === 'new') return 'sent for the first time';
  if (kind === 'read') return 'read from the cache';
  if (kind === 'calls') return `extra calls: ${detail ?? ''}`;
  if (kind === 'contents') return 'cached contents: creation and storage';
  if (kind === 'refetch') return 'results at risk read again, as charged';
  if (kind === 'abandoned') return 'requests of abandoned branches';
  return `sent again: ${causeLabel(cause ?? 'unexplained', detail)}`;
}

function causeLabel(cause: keyof typeof resentCauses, detail: string | undefined): string {
  return detail === undefined ? resentCauses[cause] : `${resentCauses[cause]} (${detail})`;
}

/** Dollars above what reading the same tokens would have cost. */
function aboveReading(ledger: readonly LedgerLine[]): number {
  const asRead = ledger.map((line) => ({
    ...line,
    usage: { fresh: 0, cacheRead: promptTokens(line.usage), cacheWrite5m: 0, cacheWrite1h: 0, output: 0 },
  }));
  return costOf(ledger).total - costOf(asRead).total;
}

/** A request of a trace, in the words and dollars of an explanation. */
export function requestOf({
  request,
  turn,
  time,
  model,
  line,
  newTokens,
  resent,
  edit,
  isTooLong,
}: RequestTrace): ExplainedRequest {
  const { rates, usage } = line;
  return {
    request,
    turn,
    time: time ?? null,
    model,
    usage,
    usd: costOf([line]).total,
    newTokens,
    resent: resent.map(({ cause, detail, tokens, usage: sent }) => ({
      cause,
      ...(detail === undefined ? {} : { detail }),
      label: causeLabel(cause, detail),
      tokens,
      extraUsd: aboveReading([{ key: line.key, rates, usage: sent }]),
    })),
    edit: edit ?? null,
    ...(isTooLong ? { isTooLong } : {}),
  };
}
