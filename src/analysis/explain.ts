import {
  costOf,
  type Explanation,
  type LedgerLine,
  mergeLedgers,
  type PartName,
  type SessionOutcome,
} from '../results/index.ts';
import { compareText } from '../session/index.ts';
import { explainedAnswer } from './explained-answer.ts';
import { partsOf, requestOf } from './parts.ts';
import type { SummaryMeta } from './run-meta.ts';
import { sumOf } from './sum.ts';
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
    requests: outcomes.length === 1 ? (outcomes[0]?.rows[0]?.best.requests ?? []).map(requestOf) : [],
  };
  return {
    schema: 'ctxsim.explanation/1',
    answer: explainedAnswer(explained),
    ...explained,
    assumptions,
    digest,
    findings,
  };
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
