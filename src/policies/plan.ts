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
  /** Plain words for `explain`: why the edit was made. */
  readonly reason: string;
}

/** What a policy wants at an event. */
export interface Plan {
  readonly edits?: readonly Edit[];
  /** The request must not be sent, and why. */
  readonly fail?: string;
  /** The stable boundary: the furthest block that the policy promises not to change, nor anything before it, at its next edit. */
  readonly stable?: BlockId;
}
