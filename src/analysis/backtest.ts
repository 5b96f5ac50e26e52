import { promptTokens, type Session, type Usage } from '../session/index.ts';
import { isModelSwitch, isTurnStart } from './session-memory.ts';

/** Why a prediction may differ from the recording. */
export const backtestCauses = [
  'compaction',
  'silent edit',
  'model switch',
  'TTL expiry',
  'eviction before the TTL',
  'tool or system change',
  'unseen request',
  'last entry not there yet',
  'unknown',
] as const;
export type BacktestCause = (typeof backtestCauses)[number];

/** One request that was predicted. */
export interface BacktestRequest {
  /** Index in its session. */
  readonly request: number;
  readonly predicted: Usage;
  readonly recorded: Usage;
  /** US dollars. */
  readonly predictedCost: number;
  readonly recordedCost: number;
  /** The past changed before this request: a reset, a prompt that shrank, another model. */
  readonly isEdit: boolean;
  /** The rule by which a request whose past had changed was predicted. */
  readonly rule?: string;
  /** Set where the predicted read is off by more than two tokens. */
  readonly cause?: BacktestCause;
}

/** One session that was predicted. The first request has nothing to be predicted from and is not among the requests. */
export interface BacktestSession {
  /** US dollars of the first request: part of the session's bill, and given. */
  readonly openingCost: number;
  readonly id: string;
  readonly file: string;
  readonly model: string;
  /** False where the recording has no times: then nothing expires. */
  readonly hasTimes: boolean;
  readonly requests: readonly BacktestRequest[];
}

/** How good a set of predictions is; shares and errors are fractions, `costError` is signed. */
export interface BacktestScore {
  readonly requests: number;
  readonly readWithin2Tokens: number;
  readonly readWithin2Percent: number;
  readonly readWithin5Percent: number;
  readonly costError: number;
  readonly medianSessionError: number;
  readonly p90SessionError: number;
}

/** Predicted and recorded reads this close are the same: message framing differs by a token or two. */
const sameTokens = 2;

/** Scores the requests that a filter lets through. Percentages of a read are percentages of the request's prompt. */
export function scoreOf(
  sessions: readonly BacktestSession[],
  wanted: (request: BacktestRequest) => boolean,
): BacktestScore {
  const chosen = sessions.filter(({ requests }) => requests.some(wanted));
  const all = chosen.flatMap(({ requests }) => requests.filter(wanted));
  const within = (limit: (request: BacktestRequest) => number) =>
    all.length === 0 ? 0 : all.filter((request) => Math.abs(readError(request)) <= limit(request)).length / all.length;
  const errors = chosen.map((session) => Math.abs(costError([session], wanted))).sort((a, b) => a - b);
  return {
    requests: all.length,
    readWithin2Tokens: within(() => sameTokens),
    readWithin2Percent: within(({ recorded }) => 0.02 * promptTokens(recorded)),
    readWithin5Percent: within(({ recorded }) => 0.05 * promptTokens(recorded)),
    costError: costError(chosen, wanted),
    medianSessionError: quantile(errors, 0.5),
    p90SessionError: quantile(errors, 0.9),
  };
}

/** Predicted less recorded dollars, as a share of the recorded; the given first requests count on both sides. */
export function costError(
  sessions: readonly BacktestSession[],
  wanted: (request: BacktestRequest) => boolean = () => true,
): number {
  let recorded = 0;
  let difference = 0;
  for (const { openingCost, requests } of sessions) {
    const chosen = requests.filter(wanted);
    if (chosen.length === requests.length) recorded += openingCost;
    for (const request of chosen) {
      recorded += request.recordedCost;
      difference += request.predictedCost - request.recordedCost;
    }
  }
  return recorded > 0 ? difference / recorded : 0;
}

/** What puts a bill off although its reads came out. */
export const otherCauses = ['lifetime of writes', 'plain input against writes', 'small differences'] as const;

/** What put a session off most: the cause, its share of the bill (signed), and the request that it cost most at. */
export interface MainCause {
  readonly cause: BacktestCause | (typeof otherCauses)[number];
  readonly costError: number;
  /** Index in the session. */
  readonly request: number;
}

/** The cause that weighs most in the direction in which a session is off; undefined for a session of no requests. */
export function mainCauseOf({ openingCost, requests }: BacktestSession): MainCause | undefined {
  const off = ({ predictedCost, recordedCost }: BacktestRequest) => predictedCost - recordedCost;
  const recorded = requests.reduce((sum, { recordedCost }) => sum + recordedCost, openingCost);
  const sign = Math.sign(requests.reduce((sum, request) => sum + off(request), 0));
  const byCause = backtestCauses.flatMap((cause) => {
    const theirs = requests.filter((request) => request.cause === cause);
    const [first, ...rest] = theirs;
    if (!first) return [];
    const worst = rest.reduce((a, b) => (sign * off(b) > sign * off(a) ? b : a), first);
    const sum = theirs.reduce((total, request) => total + off(request), 0);
    return [{ cause, costError: recorded > 0 ? sum / recorded : 0, request: worst.request }];
  });
  const [main] = byCause.sort((a, b) => sign * (b.costError - a.costError));
  // A read that came out, or is off the other way, does not say why a bill is off: then it is what was not read.
  return main && main.costError * sign > 0 ? main : otherCauseOf(requests, recorded);
}

function otherCauseOf(requests: readonly BacktestRequest[], recorded: number): MainCause | undefined {
  const [first] = requests;
  if (!first) return undefined;
  const worst = requests.reduce((a, b) =>
    Math.abs(b.predictedCost - b.recordedCost) > Math.abs(a.predictedCost - a.recordedCost) ? b : a,
  );
  const off = requests.reduce((sum, { predictedCost, recordedCost }) => sum + predictedCost - recordedCost, 0);
  const differs = (key: keyof Usage) =>
    Math.abs(requests.reduce((sum, { predicted, recorded: real }) => sum + predicted[key] - real[key], 0));
  const [long, fresh] = [differs('cacheWrite1h'), differs('fresh')];
  const notable = 0.01 * requests.reduce((sum, { recorded: real }) => sum + promptTokens(real) - real.cacheRead, 0);
  const cause =
    Math.max(long, fresh) <= notable
      ? 'small differences'
      : long >= fresh
        ? 'lifetime of writes'
        : 'plain input against writes';
  return { cause, costError: recorded > 0 ? off / recorded : 0, request: worst.request };
}

/** Counts the causes of the requests that are off by more than two tokens. */
export function causesOf(
  sessions: readonly BacktestSession[],
  wanted: (request: BacktestRequest) => boolean = () => true,
): Record<BacktestCause, number> {
  const counts = Object.fromEntries(backtestCauses.map((cause) => [cause, 0])) as Record<BacktestCause, number>;
  for (const { requests } of sessions) {
    for (const request of requests) if (request.cause && wanted(request)) counts[request.cause] += 1;
  }
  return counts;
}

/** Outside events: the cache lost what no rule says it should have lost. */
export function eventsOf(sessions: readonly BacktestSession[]): number {
  return sessions.reduce(
    (sum, { requests }) =>
      sum + requests.filter(({ cause, predicted, recorded }) => isOutsideEvent(cause, predicted, recorded)).length,
    0,
  );
}

/** Causes under which a loss has no rule behind it. */
const outsideCauses: readonly (BacktestCause | undefined)[] = [
  'eviction before the TTL',
  'tool or system change',
  'last entry not there yet',
  'unknown',
];

/** A loss that no rule explains, of more than 2 % of the prompt: less is a matter of where an entry ended. */
export function isOutsideEvent(cause: BacktestCause | undefined, predicted: Usage, recorded: Usage): boolean {
  const lost = predicted.cacheRead - recorded.cacheRead;
  return outsideCauses.includes(cause) && lost > 0.02 * promptTokens(recorded);
}

/** Positive where too much was predicted to be read, tokens. */
function readError({ predicted, recorded }: BacktestRequest): number {
  return predicted.cacheRead - recorded.cacheRead;
}

/** The past changed before this request: a recorded reset, a prompt that shrank, another model. */
export function isEdited(session: Session, index: number): boolean {
  const [usage, previous] = [session.requests[index]?.usage, session.requests[index - 1]?.usage];
  if (isReset(session, index) || isModelSwitch(session, index)) return true;
  return usage !== undefined && previous !== undefined && promptTokens(usage) < promptTokens(previous);
}

/** Why the predicted read of a request is off by more than two tokens; undefined if it is not. */
export function causeOf(
  session: Session,
  index: number,
  predicted: Usage,
  ttlSeconds: number,
): BacktestCause | undefined {
  const request = session.requests[index];
  const earlier = session.requests.slice(0, index);
  // What the request before lacks, the last one before it that has it tells.
  const [usage, previous] = [request?.usage, earlier.findLast((before) => before.usage)?.usage];
  if (!usage || !previous || Math.abs(predicted.cacheRead - usage.cacheRead) <= sameTokens) return undefined;
  const last = earlier.findLast(({ time }) => time !== undefined)?.time ?? request?.time ?? 0;
  if (isReset(session, index)) return 'compaction';
  if (isModelSwitch(session, index)) return 'model switch';
  if (promptTokens(usage) < promptTokens(previous)) return 'silent edit';
  if (((request?.time ?? last) - last) / 1000 > ttlSeconds) return 'TTL expiry';
  if (usage.cacheRead > predicted.cacheRead) return isTurnStart(session, index) ? 'unseen request' : 'unknown';
  const first = session.requests[0]?.usage?.cacheRead ?? 0;
  if (usage.cacheRead === 0 || Math.abs(usage.cacheRead - first) <= sameTokens) return 'eviction before the TTL';
  if (usage.cacheRead < promptTokens(previous) / 2) return 'tool or system change';
  // A request that was expected in between and did not come costs no more than the last reply.
  const isWhole = usage.cacheRead >= promptTokens(previous) - previous.fresh - sameTokens;
  return isWhole && isTurnStart(session, index) ? 'unseen request' : 'last entry not there yet';
}

function isReset(session: Session, index: number): boolean {
  return index > 0 && session.segments.some(({ firstRequest }) => firstRequest === index);
}

/** The smallest value that is at least as large as the given share of them. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
