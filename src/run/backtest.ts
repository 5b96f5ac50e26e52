import {
  type BacktestRequest,
  type BacktestSession,
  causeOf,
  editRuleOf,
  type Foretold,
  HarnessMemory,
  isEdited,
  lifetimeSeconds,
} from '../analysis/index.ts';
import { CtxsimError, inFile } from '../errors.ts';
import { tierFor, usdOf } from '../providers/index.ts';
import type { PriceBook } from '../providers/provider.ts';
import { modelOf, promptTokens, type Session, type Usage } from '../session/index.ts';
import {
  countSession,
  loadTokenCounter,
  measureSession,
  needsCounter,
  type TokenReport,
  tokenReport,
} from '../tokens/index.ts';
import { predictSession } from './backtest-session.ts';
import { billableFiles, type ReadOptions } from './read.ts';
import { recordingOf, withoutCopies } from './recording.ts';

/** A session that was predicted, and how its token counts came about. */
export interface BacktestedSession extends BacktestSession {
  readonly tokens: TokenReport | undefined;
}

/** A backtest of many files. */
export interface BacktestRun {
  readonly sessions: readonly BacktestedSession[];
  /** Files that could not be read, with the reason. */
  readonly leftOut: readonly CtxsimError[];
}

/** Predicts every session with recorded cache reads, in the order of their start, and sets it beside the recording. */
export async function backtestFiles(read: ReadOptions, prices: PriceBook): Promise<BacktestRun> {
  const all: { file: string; session: Session }[] = [];
  const leftOut: CtxsimError[] = [];
  for await (const file of billableFiles(read, leftOut)) {
    for (const session of file.sessions) {
      if (session.requests.filter(({ usage }) => usage).length < 2) continue;
      const measured = needsCounter(session) ? measureSession(session, await loadTokenCounter()) : session;
      all.push({ file: file.path, session: measured });
    }
  }
  const found = withoutCopies(
    all,
    ({ session }) => ({ id: session.id, recording: recordingOf(session), hasWords: session.content === 'text' }),
    ({ file }, kind) => read.findings.add(kind, file, undefined, 'its session is there, and predicted once'),
  );
  found.sort((a, b) => startOf(a.session) - startOf(b.session));
  const foretold = new HarnessMemory().foretellAll(found.map(({ session }) => session));
  const sessions: BacktestedSession[] = [];
  for (const [index, { file, session }] of found.entries()) {
    try {
      sessions.push(backtest(file, session, foretold[index] as Foretold, prices));
    } catch (error) {
      if (!(error instanceof CtxsimError)) throw error;
      leftOut.push(inFile(error, file));
    }
  }
  return { sessions, leftOut };
}

function backtest(file: string, session: Session, foretold: Foretold, prices: PriceBook): BacktestedSession {
  const predicted = predictSession(session, foretold, prices);
  const date = session.requests.find(({ time }) => time !== undefined)?.time;
  const cost = (usage: Usage, index: number) => {
    const card = prices.card(modelOf(session, session.requests[index] as Session['requests'][number]) ?? '', date);
    return usdOf(usage, tierFor(card, promptTokens(usage)).rates);
  };
  const requests = session.requests.flatMap(({ usage }, index): BacktestRequest[] => {
    const guess = predicted[index];
    if (index === 0 || !usage || !guess) return [];
    const cause = causeOf(session, index, guess, lifetimeSeconds(foretold, index));
    return [
      {
        request: index,
        predicted: guess,
        recorded: usage,
        predictedCost: cost(guess, index),
        recordedCost: cost(usage, index),
        isEdit: isEdited(session, index),
        ...(isEdited(session, index) ? { rule: editRuleOf(session, index, foretold) } : {}),
        ...(cause ? { cause } : {}),
      },
    ];
  });
  const opening = session.requests[0]?.usage;
  return {
    id: session.id,
    file,
    model: session.model ?? '',
    hasTimes: session.requests.some(({ time }) => time !== undefined),
    openingCost: opening ? cost(opening, 0) : 0,
    requests,
    tokens: tokenReport(countSession(session)),
  };
}

function startOf(session: Session): number {
  return session.requests.find(({ time }) => time !== undefined)?.time ?? 0;
}
