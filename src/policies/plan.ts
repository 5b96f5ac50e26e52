import type { BlockKind } from '../session/index.ts';

/** Identity of a block in a replay: its index in the session, or, for blocks that policies make, a number behind those. */
export type BlockId = number;

/** A block that a policy puts into the view. */
export interface NewBlock {
  readonly kind: BlockKind;
  /** Tokens as the model counts them, an integer. */
  readonly tokens: number;
  /** The block that it stands for; it keeps that block's call id, so a call and its result stay a pair. */
  readonly of?: BlockId;
}

/** One splice of the view: `from … to` (both inclusive, in view order) give way to `with`. */
export interface Edit {
  readonly from: BlockId;
  readonly to: BlockId;
  readonly with: readonly NewBlock[];
  /** False: for this request only; the next one carries the old blocks again. */
  readonly sticky: boolean;
  /** What exactly changed is not known: the blocks put in stand for the whole stretch, calls and results alike. */
  readonly opaque?: true;
  /** The provider cuts the cached sequence as well: what stands behind the edit is still read (Anthropic's `cache_edits`). */
  readonly keepsCache?: true;
  /** Plain words for `explain`: why the edit was made. */
  readonly reason: string;
}

/** Why nothing came of a call: no usable answer, an error, a result that is too long, a cancellation, a past that had moved on. */
export const failedCalls = ['malformed', 'failed', 'oversized', 'canceled', 'stale'] as const;
export type FailedCall = (typeof failedCalls)[number];

/** A model call that is not part of the conversation: a summary, its check, a ping that keeps the cache alive. */
export interface ExtraCall {
  readonly purpose: 'summary' | 'verify' | 'stub' | 'keepalive';
  /**
   * `shared`: the live request with something appended: it reads the warm prefix as far as the cache still holds it, writes
   * what a request would write, and keeps alive what it reads. `fresh`: a request of its own that shares no prefix; all of it
   * is plain input. `server`: the provider works on the live request by itself and bills an iteration of its own, which is
   * taken to read as `shared` does (assumed: nobody has published it).
   */
  readonly prefix: 'shared' | 'fresh' | 'server';
  /** Input tokens: the whole prompt of a `fresh` call, or what is appended to the live request. An integer. */
  readonly input: number;
  /** Output tokens, an integer. */
  readonly output: number;
  /** Another model than the session's own, by id; `main` is the session's own. */
  readonly model?: string;
  /** Set where nothing came of it; it is billed all the same. */
  readonly outcome?: FailedCall;
  /** Plain words for `explain`. */
  readonly reason: string;
}

/** What a policy wants at an event. */
export interface Plan {
  readonly edits?: readonly Edit[];
  /** Billed when they are asked for, in this order, on the view as it stood before the edits of the same plan. */
  readonly calls?: readonly ExtraCall[];
  /** The request must not be sent, and why. */
  readonly fail?: string;
  /** The stable boundary: the furthest block that the policy promises not to change, nor anything before it, at its next edit; -1: there will be no edit. */
  readonly stable?: BlockId;
}
