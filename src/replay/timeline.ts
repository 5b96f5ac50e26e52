import { cardAt, type ModelLimits, type RateCard, type TtlClass } from '../providers/provider.ts';
import {
  modelOf,
  promptTokens,
  type Request,
  type RequestSettings,
  type Session,
  type SettingName,
} from '../session/index.ts';
import type { RecordedEdit, TokenAccount } from '../tokens/index.ts';
import type { Conditions } from './conditions.ts';

/** No cache write of a request lives for an hour, each does, or that of the system part does. */
export const shortWrites = 0;
export const longWrites = 1;
export const longSystem = 2;

/** A model of a lane, with what replay must know of it. */
export interface LaneModel {
  readonly name: string;
  readonly card: RateCard;
  readonly limits: ModelLimits | undefined;
  /** True where the provider drops the thinking of earlier turns from the prompt. */
  readonly stripsThinking?: boolean;
}

/** One segment, in the numbering of its own turns: turn 0 is the opening context, the first prompt starts turn 1. */
export interface LaneSegment {
  readonly keeps: readonly number[];
  readonly firstBlock: number;
  readonly endBlock: number;
  readonly firstRequest: number;
  readonly endRequest: number;
  /** First block of each turn; index 0 is the opening context. */
  readonly turnStarts: Int32Array;
}

/** A session laid out once for any number of replays: parallel arrays over blocks and over requests. */
export interface Timeline {
  readonly session: Session;
  readonly tokens: Int32Array;
  /** Model tokens per counted token. */
  readonly scale: number;
  /** 1 for thinking blocks. */
  readonly isThinking: Uint8Array;
  /** The other half of a call/result pair, or -1. */
  readonly pair: Int32Array;
  readonly segments: readonly LaneSegment[];
  readonly models: readonly LaneModel[];
  /** What requests are billed by: one for each model, service and hour of the day that has rates of its own. */
  readonly cards: readonly RateCard[];
  readonly requests: {
    readonly at: Int32Array;
    readonly output: Int32Array;
    /** Turn in the segment's numbering. */
    readonly turn: Int32Array;
    readonly model: Int32Array;
    /** Index into `cards`. */
    readonly card: Int32Array;
    /** Milliseconds since the epoch, NaN where unknown. */
    readonly time: Float64Array;
    /** Which of the request's cache writes live for an hour: `shortWrites`, `longWrites` or `longSystem`. */
    readonly longTtl: Uint8Array;
    /** Settings that the session names, each request's own or as they were; absent where it names none. */
    readonly settings?: readonly RequestSettings[] | undefined;
  };
  /** Silent changes of the past that the recording shows. */
  readonly edits: readonly RecordedEdit[];
  /** What befell the cache from outside. */
  readonly conditions: Conditions | undefined;
  /** Largest prompt that the recorded model is known to have accepted, tokens; 0 when another model is replayed. */
  readonly largestPrompt: number;
}

export interface TimelineOptions {
  /** Resolves a model to its rates and limits; throws for an unknown one. */
  resolve(model: string | undefined): LaneModel;
  /** The rates of a request of a model; default: the model's. Those of its hour are taken out of them. */
  cardOf?(model: LaneModel, request: Request): RateCard;
  /** Replaces the recorded model. */
  readonly model?: string | undefined;
  readonly conditions?: Conditions | undefined;
  /** `recorded`: request by request, as far as the recording shows it, else 5m. */
  readonly ttl: TtlClass | 'recorded';
}

/** Lays a counted session out. Throws what `resolve` throws. */
export function layOut(account: TokenAccount, options: TimelineOptions): Timeline {
  const { session, blocks } = account;
  const models: LaneModel[] = [];
  const cards: RateCard[] = [];
  const modelIndex = new Map<string, number>();
  const segments = session.segments.map((_, index) => layOutSegment(session, index));
  const count = session.requests.length;
  const requests = {
    at: new Int32Array(count),
    output: account.outputs,
    turn: new Int32Array(count),
    model: new Int32Array(count),
    card: new Int32Array(count),
    time: new Float64Array(count),
    longTtl: new Uint8Array(count),
    settings: settingsOf(session),
  };
  const ttls = recordedTtls(session);
  session.requests.forEach((request, index) => {
    const name = options.model ?? modelOf(session, request);
    const key = name ?? '';
    let model = modelIndex.get(key);
    if (model === undefined) {
      model = models.push(options.resolve(name)) - 1;
      modelIndex.set(key, model);
    }
    requests.at[index] = request.at;
    requests.model[index] = model;
    const laneModel = models[model] as LaneModel;
    requests.card[index] = indexOf(cards, cardAt(options.cardOf?.(laneModel, request) ?? laneModel.card, request.time));
    requests.time[index] = request.time ?? Number.NaN;
    requests.longTtl[index] =
      options.ttl === 'recorded' ? (ttls[index] as number) : options.ttl === '1h' ? longWrites : shortWrites;
  });
  session.segments.forEach((segment, index) => {
    const end = session.segments[index + 1]?.firstRequest ?? count;
    for (let at = segment.firstRequest; at < end; at += 1) {
      requests.turn[at] = Math.max(0, (session.requests[at]?.turn ?? -1) - segment.firstTurn + 1);
    }
  });
  return {
    session,
    tokens: blocks,
    scale: account.scale,
    isThinking: Uint8Array.from(session.blocks, ({ kind }) => (kind === 'thinking' ? 1 : 0)),
    pair: pairCalls(session),
    segments,
    models,
    cards,
    requests,
    edits: account.fit?.edits ?? [],
    conditions: options.conditions,
    largestPrompt:
      options.model !== undefined
        ? 0
        : session.requests.reduce(
            (largest, { usage, totals }) => Math.max(largest, usage ? promptTokens(usage) : (totals?.prompt ?? 0)),
            0,
          ),
  };
}

/** Cards are few: one for each model, service and hour. */
function indexOf(cards: RateCard[], card: RateCard): number {
  const known = cards.indexOf(card);
  return known === -1 ? cards.push(card) - 1 : known;
}

function layOutSegment(session: Session, index: number): LaneSegment {
  const segment = session.segments[index];
  const next = session.segments[index + 1];
  if (!segment) throw new Error(`no segment ${index}`);
  const turns = session.turns.slice(segment.firstTurn, next?.firstTurn ?? session.turns.length);
  return {
    keeps: segment.keeps,
    firstBlock: segment.firstBlock,
    endBlock: next?.firstBlock ?? session.blocks.length,
    firstRequest: segment.firstRequest,
    endRequest: next?.firstRequest ?? session.requests.length,
    turnStarts: Int32Array.from([segment.firstBlock, ...turns.map((turn) => turn.firstBlock)]),
  };
}

function pairCalls(session: Session): Int32Array {
  const pair = new Int32Array(session.blocks.length).fill(-1);
  const calls = new Map<string, number>();
  session.blocks.forEach((block, index) => {
    if (block.callId === undefined) return;
    if (block.kind === 'call') calls.set(block.callId, index);
    const call = block.kind === 'result' ? calls.get(block.callId) : undefined;
    if (call !== undefined && pair[call] === -1) {
      pair[call] = index;
      pair[index] = call;
    }
  });
  return pair;
}

/** A setting that a request leaves out is as it was before, and before it was first named as it was then. */
function settingsOf({ requests }: Session): RequestSettings[] | undefined {
  const named = requests.flatMap(({ settings }) => settings ?? []);
  if (named.length === 0) return undefined;
  let current: RequestSettings = Object.assign({}, ...named.toReversed());
  return requests.map(({ settings }) => {
    const isChange = Object.entries(settings ?? {}).some(([name, value]) => current[name as SettingName] !== value);
    if (isChange) current = { ...current, ...settings };
    return current;
  });
}

/**
 * What requests wrote, as the recording shows it: one-hour entries, five-minute ones, or both, which is the system part for an
 * hour and the rest for five minutes (the provider wants the long ones first). Then later requests find the system part
 * and show five-minute writes only. A request that wrote nothing goes on as the one before; 5m where nothing shows.
 */
function recordedTtls({ requests }: Session): Uint8Array {
  const ttls = new Uint8Array(requests.length);
  const shown = requests.map(({ usage }) => {
    if (!usage || usage.cacheWrite5m + usage.cacheWrite1h === 0) return undefined;
    if (usage.cacheWrite1h === 0) return usage.cacheRead > 0 ? 'short tail' : shortWrites;
    return usage.cacheWrite5m > 0 ? longSystem : longWrites;
  });
  const first = shown.find((writes) => writes !== undefined);
  let current: number = typeof first === 'number' ? first : shortWrites;
  shown.forEach((writes, index) => {
    if (writes === 'short tail') current = current === longSystem ? longSystem : shortWrites;
    else current = writes ?? current;
    ttls[index] = current;
  });
  return ttls;
}
