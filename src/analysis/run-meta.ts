import type { Finding } from '../session/index.ts';

/** A row as the user asked for it. */
export interface RowMeta {
  readonly policy: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly label: string;
  /** As the command line named it, where that is what it is compared by. */
  readonly given?: string | undefined;
  /** The preset of which it shows a part. */
  readonly partOf?: string | undefined;
  /** Leave the row out where it changed nothing in any session, or the same as a row before it in every one. */
  readonly onlyIfOwn?: boolean | undefined;
  /** The context window decides what it does. */
  readonly usesWindow?: boolean | undefined;
}

/** What a result says besides numbers. */
export interface RunMeta {
  readonly rows: readonly RowMeta[];
  readonly baseline: number;
  readonly version: string;
  readonly prices: string;
  readonly seed: number;
  readonly ttl: string;
  readonly service: { readonly tier: string; readonly region: string };
  /** Tokens kept free for the reply. */
  readonly outputReserve: number;
  readonly pricedAt: string;
  /** How often a result at risk is read again, charged in every row. */
  readonly refetchRate?: number | undefined;
  /** Lifetimes under which every row was replayed once more, as multiples: then break-evens are worked out. */
  readonly lifetimeMultiples?: readonly number[] | undefined;
  /** The outcomes say what every row paid for: the result keeps what charts show of that. */
  readonly detailed?: boolean | undefined;
  /** Expected cache losses are billed where none were recorded. */
  readonly expectsLosses: boolean;
}

/** What is known of a run once it has ended. */
export interface SummaryMeta extends RunMeta {
  readonly findings: readonly Finding[];
  readonly leftOut: number;
  /** Rows that were dropped as the same as another: both names, in words. */
  readonly twins?: readonly string[];
}
