import { modelOf, promptTokens, type Session } from '../session/index.ts';
import { ReadSteps } from './read-steps.ts';
import { isModelSwitch, type Lore, SessionMemory, ttlSeconds } from './session-memory.ts';

/** What a recording teaches about the harness and its cache, and what can be foretold from it. */
export interface Foretold {
  /** Leading tokens of the prompt that other sessions keep in the cache; 0 for none. */
  readonly warm: Float64Array;
  /** 1 where a request that the transcript does not show is expected to have come just before. */
  readonly unseen: Uint8Array;
  /** Leading tokens of the previous prompt that are still in the cache; NaN where nothing was lost. */
  readonly kept: Float64Array;
  /** Tokens behind the last marker, billed as fresh. */
  readonly tailFresh: Float64Array;
  /** 1 where the request's writes are expected to live for an hour. */
  readonly longTtl: Uint8Array;
  /** 1 where what is written is expected to be recorded as written, not as plain input. */
  readonly showsWrites: Uint8Array;
  /** 1 where they did, as far as the recording shows by then. */
  readonly writesLong: Uint8Array;
  /** Reads are reported as `readStep · n + readOffset` tokens, as far as reads of the same model had shown. */
  readonly readStep: Float64Array;
  readonly readOffset: Float64Array;
  /** The part of the opening context that other sessions keep warm, as well as it was known at the start, tokens. */
  readonly systemTokens: number;
}

/** Seconds that what stood before a request lives, as far as the recording shows it by then. */
export function lifetimeSeconds({ writesLong }: Foretold, request: number): number {
  return writesLong[request - 1] ? ttlSeconds.long : ttlSeconds.short;
}

/** The rule by which a request whose past has changed is predicted, in words. */
export function editRuleOf(session: Session, index: number, { unseen, kept }: Foretold): string {
  const segment = session.segments.find(({ firstRequest }) => firstRequest === index);
  const isKept = !Number.isNaN(kept[index] as number);
  if (index > 0 && segment)
    return `${segment.reason}: ${isKept ? 'the system part is left' : 'what still begins alike is read'}`;
  if (isModelSwitch(session, index)) return 'model switch: a cache of its own';
  if (isKept) return 'silent edit after the lifetime: what others keep is read';
  if (unseen[index] === 1) return 'silent edit at a turn start: sent before in this form, nearly all is read';
  return 'silent edit: read up to the entry before it';
}

/**
 * Foretells the cache's circumstances request by request from earlier requests alone: each is foretold before its own
 * split is looked at. A session's first request has no earlier one: what it read is where the session starts from.
 * One memory serves all sessions, request by request in the order of time, because habits of a harness carry over.
 */
export class HarnessMemory {
  readonly #lore = new Map<string, Lore>();
  readonly #steps = new Map<string, ReadSteps>();

  foretell(session: Session): Foretold {
    return this.foretellAll([session])[0] as Foretold;
  }

  /** Foretells sessions that may overlap: nothing that another one showed later is known. */
  foretellAll(sessions: readonly Session[]): Foretold[] {
    const lanes = sessions.map((session) => new LaneForetelling(session));
    for (const { lane, index } of inTime(sessions)) {
      const { session } = lanes[lane] as LaneForetelling;
      (lanes[lane] as LaneForetelling).foretell(
        index,
        () => this.#loreOf(session),
        this.#stepsOf(modelOf(session, session.requests[index] as Session['requests'][number])),
      );
    }
    return lanes.map(({ foretold }) => foretold);
  }

  #stepsOf(model: string | undefined): ReadSteps {
    const known = this.#steps.get(model ?? '') ?? new ReadSteps();
    this.#steps.set(model ?? '', known);
    return known;
  }

  #loreOf(session: Session): Lore {
    const key = `${session.agent} ${session.agentVersion} ${session.model} ${session.parent === undefined}`;
    const known = this.#lore.get(key);
    if (known) return known;
    const before = [...this.#lore.entries()].findLast(
      ([other, { afterReset }]) => other.startsWith(`${session.agent} `) && afterReset > 0,
    );
    const fresh = {
      turnStarts: { unseen: 0, plain: 0 },
      afterReset: 0,
      behindSystem: 0,
      before: before?.[1].afterReset ?? 0,
    };
    this.#lore.set(key, fresh);
    return fresh;
  }
}

/** Every request of every session in the order of time; one without a time stands with the request before it. */
function inTime(sessions: readonly Session[]): { lane: number; index: number }[] {
  const all = sessions.flatMap(({ requests }, lane) => {
    let time = requests.find((request) => request.time !== undefined)?.time ?? Number.NEGATIVE_INFINITY;
    return requests.map((request, index) => {
      time = Math.max(time, request.time ?? time);
      return { lane, index, time };
    });
  });
  return all.sort((a, b) => (a.time === b.time ? a.lane - b.lane || a.index - b.index : a.time - b.time));
}

/** What is foretold of one session, as far as its requests have been gone through. */
class LaneForetelling {
  readonly session: Session;
  readonly foretold: { -readonly [K in keyof Foretold]: Foretold[K] };
  #seen: SessionMemory | undefined;

  constructor(session: Session) {
    const count = session.requests.length;
    this.session = session;
    this.foretold = {
      warm: new Float64Array(count),
      unseen: new Uint8Array(count),
      kept: new Float64Array(count).fill(Number.NaN),
      tailFresh: new Float64Array(count),
      longTtl: new Uint8Array(count),
      showsWrites: new Uint8Array(count),
      writesLong: new Uint8Array(count),
      readStep: new Float64Array(count),
      readOffset: new Float64Array(count),
      systemTokens: 0,
    };
  }

  foretell(index: number, loreOf: () => Lore, steps: ReadSteps): void {
    const { session, foretold } = this;
    const seen = this.#begin(loreOf);
    const usage = session.requests[index]?.usage;
    const prompt = usage && promptTokens(usage);
    foretold.readStep[index] = steps.step;
    foretold.readOffset[index] = steps.offset;
    foretold.warm[index] = seen.warmAt(index, prompt);
    foretold.kept[index] = seen.keptAt(index);
    foretold.unseen[index] = seen.expectsUnseen(index, prompt) ? 1 : 0;
    foretold.tailFresh[index] = seen.tailFresh(index);
    foretold.longTtl[index] = seen.longTtl ? 1 : 0;
    foretold.showsWrites[index] = seen.showsWrites ? 1 : 0;
    if (usage) {
      seen.observe(index, usage);
      steps.observe(usage.cacheRead);
    }
    foretold.writesLong[index] = seen.lifetime > ttlSeconds.short ? 1 : 0;
  }

  #begin(loreOf: () => Lore): SessionMemory {
    if (this.#seen) return this.#seen;
    this.#seen = new SessionMemory(this.session, loreOf());
    this.foretold.systemTokens = this.session.requests[0]?.usage?.cacheRead || this.#seen.system;
    return this.#seen;
  }
}
