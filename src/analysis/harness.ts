import { modelOf, promptTokens, type Session } from '../session/index.ts';
import { ReadSteps } from './read-steps.ts';
import { type Lore, SessionMemory, ttlSeconds } from './session-memory.ts';

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

/**
 * Foretells the cache's circumstances request by request from earlier requests alone: each is foretold before its own
 * split is looked at. A session's first request has no earlier one: what it read is where the session starts from.
 * One memory serves sessions in the order of their start, because habits of a harness carry over.
 */
export class HarnessMemory {
  readonly #lore = new Map<string, Lore>();
  readonly #steps = new Map<string, ReadSteps>();

  foretell(session: Session): Foretold {
    const count = session.requests.length;
    const foretold = {
      warm: new Float64Array(count),
      unseen: new Uint8Array(count),
      kept: new Float64Array(count).fill(Number.NaN),
      tailFresh: new Float64Array(count),
      longTtl: new Uint8Array(count),
      showsWrites: new Uint8Array(count),
      writesLong: new Uint8Array(count),
      readStep: new Float64Array(count),
      readOffset: new Float64Array(count),
    };
    const lore = this.#loreOf(session);
    const seen = new SessionMemory(session, lore);
    const systemTokens = session.requests[0]?.usage?.cacheRead || seen.system;
    session.requests.forEach((request, index) => {
      const { usage } = request;
      const steps = this.#stepsOf(modelOf(session, request));
      foretold.readStep[index] = steps.step;
      foretold.readOffset[index] = steps.offset;
      const prompt = usage && promptTokens(usage);
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
    });
    return { ...foretold, systemTokens };
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
