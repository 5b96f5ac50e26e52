import type { SettingName } from '../session/index.ts';
import type { RateCard } from './prices/rates.ts';

export { cardAt, hoursName } from './prices/hours.ts';
export type {
  AskedService,
  ModelLimits,
  PriceBook,
  RateCard,
  Rates,
  RateTier,
  RecordedService,
  Region,
  Service,
  ServiceTier,
} from './prices/rates.ts';
export { regions, serviceTiers } from './prices/rates.ts';

/**
 * Lifetime that a request asks for: what Anthropic sells as 5m and 1h, OpenAI's 24-hour retention; `never`: the entry does not
 * expire. Only a 1h write has a price of its own. Providers that sell no lifetimes treat all but `24h` and `never` alike.
 */
export const ttlClasses = ['5m', '1h', '24h', 'never'] as const;
export type TtlClass = (typeof ttlClasses)[number];

/** The prompt of one request, as replay lays it out. Positions run from 0; arrays may be longer than `length`. */
export interface PromptView {
  readonly length: number;
  /** Identity of the prefix that ends at each position: equal numbers mean equal prefixes, over the whole session. */
  readonly nodes: Int32Array;
  /** Tokens up to and including each position. */
  readonly ends: Float64Array;
}

/** Input tokens of one request in exclusive classes; filled in place, because this is the hot loop. */
export interface Split {
  read: number;
  write5m: number;
  write1h: number;
  fresh: number;
}

/** What a cache model must know of a request besides its view. */
export interface CacheRequest {
  /** Leading positions that are unchanged since the previous request to the same cache. */
  common: number;
  /** Leading positions that other lanes keep warm: in the cache at every request, the first included, after any pause. */
  warm: number;
  /** Start, milliseconds since the epoch; NaN where unknown: then no time has passed since the last one. */
  time: number;
  ttl: TtlClass;
  /** Marker positions, ascending; only the first `markerCount` count. Ignored by caches without markers. */
  markers: Int32Array;
  markerCount: number;
  /** Leading markers with the one-hour lifetime; the rest have five minutes (providers refuse the reverse order). */
  longMarkers: number;
}

/** What a request added to the bill besides its own tokens, where the client keeps cached contents; filled in place. */
export interface CacheFees {
  /** Tokens of contents that were created for it, at the price of input. */
  created: number;
  /** Storage, tokens times milliseconds: whole lifetimes of what was created, less what deletions saved of earlier ones. */
  tokenMilliseconds: number;
}

/** Where each position of the last prompt stands now; where a block is gone, its replacement or what stood before it (-1: nothing). */
export type PositionMap = (position: number) => number;

/** The cache of one lane and one model. */
export interface Cache {
  /** Of the last step; only where the client keeps cached contents. */
  readonly fees?: CacheFees;
  /** Splits the prompt into read, written and fresh, and remembers what was written. Requests come in order. */
  step(view: PromptView, request: CacheRequest, out: Split): void;
  /** The reply to the last request has joined the view; told only to caches that store it. */
  replied?(view: PromptView): void;
  /** An outside event: of the last prompt, only what its first `positions` positions left behind is still there. */
  lose(positions: number): void;
  /**
   * The client had the provider cut the cached sequence (Anthropic's `cache_edits`): of the last prompt, the first `known`
   * positions are cached still, from `from` on where `moved` says, in `view`.
   */
  cut(view: PromptView, known: number, from: number, moved: PositionMap): void;
}

/** Facts about a rule, for the reader of a table: what was applied, and who says so. */
export interface RuleNote {
  readonly rule: string;
  readonly value: string;
  readonly source: string;
  /** True where the rule is not published. */
  readonly assumed?: boolean;
}

/**
 * Where entries end: at markers, or at multiples of a step; `elsewhere`: at places of the cache's own choosing. For those who
 * ask why a prefix was not read.
 */
export type EntryPlaces =
  | { readonly at: 'markers' | 'elsewhere'; readonly minTokens: number }
  | { readonly at: 'steps'; readonly minTokens: number; readonly stepTokens: number };

/** How far back in a prompt a changed setting reaches: all of it, what stands behind the tools, what stands behind the system part. */
export const settingReaches = ['all', 'behindTools', 'messages'] as const;
export type SettingReach = (typeof settingReaches)[number];

/** How one model's prompts are cached at one time. */
export interface CacheRules {
  readonly entries: EntryPlaces;
  /** True where entries stand at breakpoints that the client places. */
  readonly usesMarkers: boolean;
  /** Each marker costs something by itself: more of them are not always better. */
  readonly markersCost?: true;
  /** Lifetimes that may be asked for. */
  readonly ttls: readonly TtlClass[];
  /** Milliseconds that an entry lives after its last use, by what was asked for. */
  readonly lifetimes: Readonly<Record<TtlClass, number>>;
  /** What was applied, for the reader of a table. */
  readonly notes: readonly RuleNote[];
  /** What entries are known by besides their words; settings that are not named change nothing. */
  readonly settings?: Readonly<Partial<Record<SettingName, SettingReach>>>;
  /** Price of keeping a million tokens for an hour, US dollars, where storage is billed. */
  readonly storageUsdPerMTokHour?: number;
  create(): Cache;
}

/** What the rules of a cache may depend on. */
export type CachedModel = Pick<RateCard, 'model' | 'provider' | 'chargesWrites'>;

/** A cache model: how a provider splits a prompt. Rules come from dated data, never from constants in code. */
export interface CacheModel {
  readonly name: string;
  readonly title: string;
  /** Providers, as the price source names them, whose models it can hold; absent: anybody's. */
  readonly providers?: readonly string[];
  /** Models whose rules differ, for `list providers`. */
  readonly examples: readonly string[];
  /** The rules for a model at a time (milliseconds since the epoch); without a time, today's. */
  rulesFor(model: CachedModel, timeMs?: number): CacheRules;
}

/** What a breakpoint planner may look at. */
export interface PlanContext {
  readonly view: PromptView;
  /** Last position of the system part (system and tools blocks at the start); -1 if there is none. */
  readonly systemEnd: number;
  /** Last position that this request's policy promises not to change at its next edit; the tail where it cannot say. */
  readonly stable: number;
  /** The stable position of the previous request, in today's view; -1 if it is gone or there was none. */
  readonly previousStable: number;
  /** Position of the previous request's tail in today's view; -1 if it is gone or there was none. */
  readonly previousTail: number;
}

/** Where the markers go. At most four (providers.md §1.1). */
export interface BreakpointPlanner {
  readonly name: string;
  readonly title: string;
  /** Fills `out` with ascending distinct positions and returns how many. */
  plan(context: PlanContext, out: Int32Array): number;
}

/** Lifetimes as their names say, milliseconds after the last use (providers.md §1.1; counted from the start of the request). */
export const ttlMilliseconds: Readonly<Record<TtlClass, number>> = {
  '5m': 300_000,
  '1h': 3_600_000,
  '24h': 86_400_000,
  never: Number.POSITIVE_INFINITY,
};
