import type { BillPart, RequestTrace } from './bill-part.ts';
import type { LedgerLine } from './ledger-line.ts';

/** How many extra calls a row made, and of how many of them nothing came. */
export const callCountKeys = [
  'total',
  'fresh',
  'shared',
  'server',
  'malformed',
  'failed',
  'oversized',
  'canceled',
  'stale',
] as const;
export type CallCounts = Readonly<Record<(typeof callCountKeys)[number], number>>;

/** What is known of a row that knows the future. */
export interface Foresight {
  /** The schedule is proven to be the cheapest; else it is the cheapest that the search came upon. */
  readonly isExact: boolean;
  /** US dollars; no way to cut old results to the same stubs costs less, inside turns included. Undefined where unknown. */
  readonly leastUsd: number | undefined;
}

/** What a row took out of the context of one session, and how much of it the recording shows to be used later. */
export interface RefetchOutcome {
  /** Results taken out. */
  readonly elided: number;
  /** Those of them that were used later. */
  readonly atRisk: number;
  /** What it would cost if each of those were read again, once; no part of the bill. */
  readonly ledger: readonly LedgerLine[];
}

/** What one row did to one session under one planner. */
export interface RowOutcome {
  /** Everything that was billed, extra calls included. */
  readonly ledger: readonly LedgerLine[];
  /** The part of `ledger` that extra calls were billed. */
  readonly calls: readonly LedgerLine[];
  readonly callCounts: CallCounts;
  /** Edits that changed what a request carried; 0 means the policy never fired. */
  readonly edits: number;
  /** Requests larger than the window allows. */
  readonly unsendable: number;
  /** Results that the policy took out of the context, and what needing them again would cost. */
  readonly refetch?: RefetchOutcome;
  /** What break-evens need beside the bill; only where it was asked for. */
  readonly even?: {
    /** The prompt of the last request; absent where there was none. */
    readonly last?: { readonly tokens: number; readonly readUsdPerMTok: number };
    /** The ledger if entries lived so many times as long, by multiple. */
    readonly atLifetimes: readonly (readonly LedgerLine[])[];
  };
  /** What the bill paid for and why; only where it was asked for. */
  readonly parts?: readonly BillPart[];
  /** Every request by itself; only where it was asked for. */
  readonly requests?: readonly RequestTrace[];
  /** What the policy needs and the session does not have; it was not replayed then. */
  readonly lacks?: readonly string[];
  readonly foresight?: Foresight;
  /** Its bill is what was recorded, not what a replay made. */
  readonly isRecorded?: true;
  /** Tokens of the largest prompt; only where it was asked for. */
  readonly peakPrompt?: number;
}

/** The outcome of a row whose policy needs what the session does not have. */
export function notApplicable(lacks: readonly string[]): RowOutcome {
  const callCounts = Object.fromEntries(callCountKeys.map((key) => [key, 0])) as CallCounts;
  return { ledger: [], calls: [], callCounts, edits: 0, unsendable: 0, lacks };
}

/** What a bill paid for. */
export const spendKinds = [
  'system',
  'prompts',
  'replies',
  'currentTurnResults',
  'earlierTurnResults',
  'output',
] as const;
export type SpendKind = (typeof spendKinds)[number];

/** An outside event: the cache had lost what by its rules it should have held, or held what by its rules it had not. */
export interface CacheEvent {
  /** The request that met it, from 1. */
  readonly request: number;
  /** Tokens of its prompt that were read. */
  readonly kept: number;
  /** More was read than the rules know of; absent: less. */
  readonly isHit?: true | undefined;
}

/** One session under every row: plain data, small, in the order of the rows. */
export interface SessionOutcome {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly file: string;
  readonly format: string;
  /** Names what was recorded, the same for a session and for its content-free copy. */
  readonly recording: string;
  /** It was read with its words; a content-free copy has sizes in their place. */
  readonly hasWords: boolean;
  readonly models: readonly string[];
  /** How each model counts and caches, in words: outcomes compare only where these are the same. */
  readonly rules: readonly { readonly model: string; readonly tokenizer: string; readonly cache: string }[];
  readonly cache: readonly string[];
  /** What of the caches' rules is not published, in words. */
  readonly assumedRules: readonly string[];
  /** What a reader should know of the prices, in words. */
  readonly priceNotes: readonly string[];
  /** Requests by what made their rates or their cache other than the maker's list: host, service tier, region, hours. */
  readonly served: Readonly<Record<string, number>>;
  /** Context window of each model, in words. */
  readonly windows: readonly string[];
  /** Planner of `best`, `-` where the cache has no markers. */
  readonly planner: string;
  /** Planner of `recorded`, `-` where there is none. */
  readonly recordedPlanner: string;
  readonly turns: number;
  readonly requests: number;
  /** Prompt tokens of the baseline, summed over requests. */
  readonly promptTokens: number;
  readonly estimatedShare: number;
  /** Output tokens that rest on no recorded count. */
  readonly estimatedOutput: number;
  /** What the recorded usage costs; undefined where that of any request is missing, or another model was asked for. */
  readonly recordedBill?: readonly LedgerLine[] | undefined;
  /** What it costs beside that: output that the recording is known not to count, estimated. */
  readonly estimatedBill?: readonly LedgerLine[] | undefined;
  /** What an estimated count is off by, as a share of it; undefined where that is not known. */
  readonly tokenUncertainty: number | undefined;
  readonly tokenMethod: string;
  /** What a replay as a model with another tokenizer does to the counts. */
  readonly otherTokenizer?: string | undefined;
  readonly hasTimes: boolean;
  /** Recorded losses and hits of the cache that no rule explains, applied to every row. */
  readonly events: readonly CacheEvent[];
  /** Its system part was kept in the cache by other sessions, as recorded, and is read in every row. */
  readonly isWarm: boolean;
  readonly rows: readonly { readonly best: RowOutcome; readonly recorded: RowOutcome | undefined }[];
  /** Dollars of the baseline by what they paid for. */
  readonly spend: Readonly<Record<SpendKind, number>>;
}
