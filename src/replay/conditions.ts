import type { BlockId } from '../policies/plan.ts';
import type { Split } from '../providers/provider.ts';
import type { View } from './view.ts';

/**
 * What happened to the cache of a lane from outside, request by request. It is no doing of any policy, so every policy
 * meets the same.
 */
export interface Conditions {
  /** Leading tokens of the prompt that other sessions keep in the cache; 0 for none. */
  readonly warm?: Float64Array;
  /** 1 where a request that the transcript does not show came just before: it carried what stood, and the reply to it. */
  readonly unseen?: Uint8Array;
  /** The last block of the previous prompt that was still in the cache; -1 for none of it, `nothingLost` for all. */
  readonly lastKept?: Int32Array;
  /**
   * The last block that was read although no rule says that it was still cached; -1 for none. What stands unchanged up to there is
   * read in every row.
   */
  readonly lastRead?: Int32Array;
}

/** Stands in `lastKept` where the cache lost nothing; behind every block. */
export const nothingLost = 0x7fffffff;

/** Leading positions up to the block `last` or what stands for it; where it is gone, up to the last one from before it. */
export function positionsUpTo(view: View, last: BlockId): number {
  for (let at = view.length - 1; at >= 0 && last >= 0; at -= 1) {
    if (view.originOf(view.ids[at] as BlockId) === last) return at + 1;
  }
  for (let at = view.length - 1; at >= 0; at -= 1) {
    const origin = view.originOf(view.ids[at] as BlockId);
    if (origin !== -1 && origin <= last) return at + 1;
  }
  return 0;
}

/** Other sessions keep so many leading tokens warm: they are read, whatever this lane's own entries say. */
export function readAtLeast(split: Split, tokens: number): void {
  let missing = tokens - split.read;
  if (missing <= 0) return;
  split.read = tokens;
  for (const key of ['write1h', 'write5m', 'fresh'] as const) {
    const taken = Math.min(missing, split[key]);
    split[key] -= taken;
    missing -= taken;
  }
}
