import type { ExplainedPart, ExplainedRequest, Explanation } from '../results/index.ts';
import {
  type BillPart,
  costOf,
  type LedgerLine,
  mergeLedgers,
  type PartName,
  type RequestTrace,
  resentCauses,
  type SessionOutcome,
  usageOf,
} from '../results/index.ts';
import { compareText, promptTokens } from '../session/index.ts';
import { type SummaryMeta, sumOf } from './describe.ts';
import { explainedAnswer } from './explained-answer.ts';
import { summarize } from './summarize.ts';

/** What the sessions of one row paid for, and what broke their cache. The outcomes carry parts; `meta` has that one row. */
export function explain(outcomes: readonly SessionOutcome[], meta: SummaryMeta): Explanation {
  const { corpus, assumptions, digest, findings, rows } = summarize(outcomes, meta);
  const parts = partsOf(outcomes);
  const tokensOf = (kind: PartName['kind']) =>
    sumOf(parts.filter((part) => part.kind === kind).map(({ tokens }) => tokens));
  const [newTokens, resentTokens] = [tokensOf('new'), tokensOf('resent')];
  const explained = {
    policy: rows[0]?.label ?? '',
    corpus,
    usd: costOf(mergeLedgers(outcomes.map((outcome) => ledgerOf(outcome)))).total,
    parts,
    newTokens,
    resentTokens,
    rewriteFactor: newTokens > 0 ? (newTokens + resentTokens) / newTokens : null,
    sessions: outcomes.map(sessionOf).sort((a, b) => b.usd - a.usd || compareText(a.id, b.id)),
  };
  return {
    schema: 'ctxsim.explanation/1',
    answer: explainedAnswer(explained),
    ...explained,
    requests: outcomes.length === 1 ? (outcomes[0]?.rows[0]?.best.requests ?? []).map(requestOf) : [],
    assumptions,
    digest,
    findings,
  };
}

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

function ledgerOf(outcome: SessionOutcome): readonly LedgerLine[] {
  return outcome.rows[0]?.best.ledger ?? [];
}

function sessionOf(outcome: SessionOutcome): Explanation['sessions'][number] {
  const resent = partsOf([outcome]).filter(({ kind }) => kind === 'resent');
  const [main] = [...resent].sort((a, b) => b.extraUsd - a.extraUsd);
  return {
    id: outcome.id,
    file: outcome.file,
    turns: outcome.turns,
    requests: outcome.requests,
    usd: costOf(mergeLedgers([ledgerOf(outcome)])).total,
    resentTokens: sumOf(resent.map(({ tokens }) => tokens)),
    extraUsd: sumOf(resent.map(({ extraUsd }) => extraUsd)),
    main: main?.label ?? null,
  };
}

function requestOf({ request, turn, time, model, line, newTokens, resent, edit }: RequestTrace): ExplainedRequest {
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
  };
}
