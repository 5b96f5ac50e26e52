import type { Item } from './items.ts';
import type { Booked } from './ledger.ts';
import type { JsonRecord } from './records.ts';
import type { StatedTier } from './tiers.ts';
import type { UserItem } from './turns.ts';
import type { Counted } from './usage.ts';

/** What one line means for a session. */
export type Meaning =
  | { readonly kind: 'meta'; readonly meta: JsonRecord; readonly tier: StatedTier | undefined }
  | { readonly kind: 'item'; readonly item: Item }
  | UsageMeaning
  /** A request outside the conversation: a compaction's. */
  | { readonly kind: 'side-usage'; readonly counted: Counted; readonly tier: StatedTier | undefined }
  /** A `token_count` that tells of no request, or of one that was counted already. */
  | { readonly kind: 'no-usage'; readonly tier: StatedTier | undefined }
  | { readonly kind: 'task-start'; readonly turnId: string | undefined }
  | ({ readonly kind: 'settings'; readonly turnId: string | undefined } & Settings)
  /** Settings of the session, in the middle of a turn or between two. */
  | ({ readonly kind: 'thread-settings' } & Settings)
  | { readonly kind: 'task-end'; readonly aborted: boolean }
  | { readonly kind: 'said'; readonly text: string; readonly isItem: boolean }
  | CompactedMeaning
  | { readonly kind: 'rollback'; readonly turns: number };

interface Settings {
  readonly model: string | undefined;
  readonly effort: string | undefined;
  readonly tier: StatedTier | undefined;
}

interface UsageMeaning {
  readonly kind: 'usage';
  readonly counted: Counted;
  readonly model: string | undefined;
  readonly tier: StatedTier | undefined;
  /** What a `token_usage_record` says beside its counts; undefined where a `token_count` told of the request. */
  readonly record: { readonly responseId: string | undefined; readonly threadId: string | undefined } | undefined;
}

interface CompactedMeaning {
  readonly kind: 'compacted';
  readonly message: string | undefined;
  readonly replacement: readonly Item[] | undefined;
  /** The response that wrote the summary. */
  readonly responseId: string | undefined;
  /** The last usage record as the line repeats it. */
  readonly latest: Booked | undefined;
  /** The request that wrote the summary is among the entries. */
  readonly isRecorded: boolean;
}

/** One line that matters. */
export type Entry = Meaning & { readonly line: number; readonly time: number | undefined };

/** One session's lines as a list of what happened, and which user messages a human wrote. */
export interface Log {
  readonly entries: readonly Entry[];
  readonly human: ReadonlySet<UserItem>;
  /** False where the writer recorded no usage at all. */
  readonly hasUsage: boolean;
  /** A longer copy of the same session was read before it. */
  readonly isLaterCopy: boolean;
}
