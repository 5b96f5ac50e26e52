import { modelOf, promptTokens, type Session, type Usage } from '../session/index.ts';

/** Reads and prompts differ by a few tokens of message framing: within this they are the same (target of the backtest). */
const sameTokens = 2;

/** Lifetime of a cache entry by what the harness asked for, seconds (providers.md §1.1). */
export const ttlSeconds = { short: 300, long: 3600 } as const;

/**
 * Entries were still read up to 321 s after the start of the last request (5 of 6 under 5m) and 3,614 s (1 of 1 under 1h),
 * and from 324 s on no more (15 of 16 under 5m): measured on 52 recorded Claude Code sessions. The provider's clock runs from a
 * little later than the start, as the reply comes.
 */
export const expiryLagSeconds = 22;

/** How a harness and its provider behave, where the recording does not show it. */
interface Traits {
  /** It sends requests that its transcripts do not show (side questions over the whole conversation, formats.md §3.11). */
  readonly sendsUnseen: boolean;
  /** Its system part is alike in every session, so that the first request of one reads it from others. */
  readonly sharesSystem: boolean;
  /** Entries live this long whatever the write said, seconds; undefined: as written. */
  readonly lifetimeSeconds?: number;
}

const traits: Readonly<Record<string, Traits>> = {
  'claude-code': { sendsUnseen: true, sharesSystem: true },
  // OpenAI keeps entries in memory for 5 to 10 idle minutes, at most an hour (providers.md §2).
  codex: { sendsUnseen: false, sharesSystem: false, lifetimeSeconds: 600 },
};

/** Turn starts seen: how many came after an unseen request, and how many did not. */
interface Habits {
  unseen: number;
  plain: number;
}

/** What sessions of the same harness version and model taught. */
export interface Lore {
  readonly turnStarts: Habits;
  /** Size of the system and tools part: what was left to read after the conversation had been replaced; 0 if not seen. */
  afterReset: number;
  /** Tokens behind the system part that stay in the cache when the conversation does not (instructions of the project); 0 if not seen. */
  behindSystem: number;
  /** The same as `afterReset` of the version before: the best guess until this one has shown its own. */
  readonly before: number;
}

/** What one session has shown so far. */
export class SessionMemory {
  /** Leading tokens that other sessions keep in the cache: what was read when everything of this session's own had gone. */
  warm = 0;
  longTtl = false;
  /** False once new content was recorded as plain input and none as written: then the recording does not tell writes apart. */
  showsWrites = true;
  readonly #session: Session;
  readonly #lore: Lore;
  readonly #traits: Traits;
  /** Fresh tails by whether the request starts a turn. */
  readonly #tails: (number | undefined)[] = [];
  readonly #own: Habits = { unseen: 0, plain: 0 };
  #previous: Usage | undefined;
  /** The same as the lore's, from this session alone: projects of one version have system parts of their own. */
  #afterReset = 0;
  /** What was left in this session where most of a prompt had been lost; 0 if not seen. */
  #rest = 0;

  constructor(session: Session, lore: Lore) {
    this.#session = session;
    this.#lore = lore;
    this.#traits = traits[session.agent ?? ''] ?? { sendsUnseen: false, sharesSystem: false };
    this.warm = session.requests[0]?.usage?.cacheRead ?? 0;
  }

  /** Size of the system and tools part, as well as it is known. */
  get system(): number {
    const first = this.#session.requests[0]?.usage?.cacheRead ?? 0;
    const { afterReset, before } = this.#lore;
    const rest = this.#rest <= sameSystem * first ? this.#rest : Math.max(this.#rest, afterReset || before);
    return (
      this.#afterReset ||
      (this.#rest > 0 ? rest : afterReset) ||
      (this.#traits.sharesSystem ? first || before : Math.max(first, before))
    );
  }

  /** Seconds that an entry lives. */
  get lifetime(): number {
    return this.#traits.lifetimeSeconds ?? (this.longTtl ? ttlSeconds.long : ttlSeconds.short);
  }

  /** What is warm: where the conversation was replaced, the system part too, which this session itself kept in the cache. */
  warmAt(index: number, prompt: number | undefined): number {
    if (this.#hasExpired(index)) return this.warm;
    const standing = this.#standing;
    if (this.#isReset(index)) return Math.max(this.system || this.warm, standing);
    return Math.max(this.warm, standing, prompt !== undefined && this.#isShrunk(prompt) ? this.system : 0);
  }

  /** The system part and what stands behind it for as long, where sessions like this one have shown such an entry. */
  get #standing(): number {
    const { behindSystem } = this.#lore;
    return this.warm > 0 && behindSystem > 0 ? this.warm + behindSystem : 0;
  }

  /** What is left when everything behind it is sent anew after a reset, or has died by the provider's own clock. */
  keptAt(index: number): number {
    if (this.#isReset(index)) return this.system > 0 ? this.system : Number.NaN;
    return this.#traits.lifetimeSeconds !== undefined && this.#hasExpired(index) ? this.warm : Number.NaN;
  }

  /** A request that no transcript shows came between the last reply and this prompt. */
  expectsUnseen(index: number, prompt: number | undefined): boolean {
    if (!this.#traits.sendsUnseen || !this.#previous || this.#isReset(index)) return false;
    if (!isTurnStart(this.#session, index)) return false;
    // What it left out had been left out before: of 10 recorded turn starts that shrank, 7 read nearly all of their prompt.
    if (prompt !== undefined && this.#isShrunk(prompt)) return true;
    const { unseen, plain } = this.#own.unseen === this.#own.plain ? this.#lore.turnStarts : this.#own;
    return unseen > plain;
  }

  tailFresh(index: number): number {
    const start = Number(isTurnStart(this.#session, index));
    return this.#tails[start] ?? this.#tails[1 - start] ?? 0;
  }

  observe(index: number, usage: Usage): void {
    const isStart = isTurnStart(this.#session, index);
    const previous = this.#previous;
    const written = usage.cacheWrite5m + usage.cacheWrite1h;
    if (written > 0) this.longTtl = usage.cacheWrite1h > 0;
    if (written > 0 || usage.fresh > largestFraming) this.showsWrites = written > 0;
    // A large fresh tail is content without a marker behind it, not framing.
    if (usage.fresh <= largestFraming) this.#tails[Number(isStart)] = usage.fresh;
    this.#learn(index, usage, previous);
    this.#previous = usage;
  }

  #learn(index: number, usage: Usage, previous: Usage | undefined): void {
    const { cacheRead } = usage;
    if (!previous) return;
    const reachable = promptTokens(previous) - previous.fresh;
    const isShrunk = this.#isShrunk(promptTokens(usage));
    this.#learnRest(index, usage, (index === 1 ? 0.75 : 0.5) * Math.min(reachable, promptTokens(usage)));
    if (this.#hasExpired(index) && cacheRead < reachable) {
      if (!this.#isReset(index)) this.warm = cacheRead;
    } else if (this.#isReset(index) || (isShrunk && !isTurnStart(this.#session, index))) {
      if (cacheRead > 0 && cacheRead < promptTokens(previous) / 2) {
        this.#lore.afterReset = cacheRead;
        this.#afterReset = cacheRead;
      }
    } else if (this.#isStanding(cacheRead) && cacheRead < reachable / 2) {
      this.#lore.behindSystem = cacheRead - this.warm;
    } else if (isTurnStart(this.#session, index)) {
      // A turn that starts with less than stood before reads nearly all of it if the change was sent before.
      this.#count(isShrunk ? cacheRead - shrunkRead * promptTokens(usage) : cacheRead - reachable);
    }
  }

  /** Where most of what could be read was lost, what is left is the system part: the largest that was ever left. */
  #learnRest(index: number, { cacheRead }: Usage, most: number): void {
    if (this.#traits.sharesSystem && !this.#hasExpired(index) && cacheRead < most)
      this.#rest = Math.max(this.#rest, cacheRead);
  }

  /** A read that ends a little behind the system part: an entry stands there that outlives what follows it. */
  #isStanding(read: number): boolean {
    return this.#traits.sharesSystem && this.warm > 0 && read > this.warm + sameTokens && read < 1.25 * this.warm;
  }

  #isShrunk(prompt: number): boolean {
    return this.#previous !== undefined && prompt < promptTokens(this.#previous);
  }

  /** `extra`: tokens that a turn start read beyond the previous prompt. */
  #count(extra: number): void {
    for (const habits of [this.#own, this.#lore.turnStarts]) {
      if (extra > sameTokens) habits.unseen += 1;
      else if (extra >= -sameTokens) habits.plain += 1;
    }
  }

  #hasExpired(index: number): boolean {
    const { requests, segments } = this.#session;
    const now = requests[index]?.time;
    // The call that wrote a summary has sent the system part, however long the pause before it was.
    const summarized = segments.find(
      ({ firstRequest, reason }) => firstRequest === index && reason === 'compaction',
    )?.time;
    const before = summarized ?? requests[index - 1]?.time;
    if (before === undefined || now === undefined) return false;
    return now - before > (this.lifetime + expiryLagSeconds) * 1000;
  }

  /** The first request after a recorded reset. */
  #isReset(index: number): boolean {
    return index > 0 && this.#session.segments.some(({ firstRequest }) => firstRequest === index);
  }
}

/** A shrunk prompt of which this share was read had been sent before, by a request that the transcript does not show. */
const shrunkRead = 0.9;

/** Two reads of a system part differ by no more: a date or a count in it changes. */
const sameSystem = 1.02;

/** More fresh tokens than this are content, not framing (recorded framing is 1 to 10 tokens). */
const largestFraming = 16;

/** True if the request is the first of its turn. */
export function isTurnStart(session: Session, index: number): boolean {
  return session.requests[index]?.turn !== session.requests[index - 1]?.turn;
}

/** True if the request's model differs from that of the one before. */
export function isModelSwitch(session: Session, index: number): boolean {
  const [request, previous] = [session.requests[index], session.requests[index - 1]];
  return !!request && !!previous && modelOf(session, request) !== modelOf(session, previous);
}
