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
}

/** Stands in `lastKept` where the cache lost nothing; behind every block. */
export const nothingLost = 0x7fffffff;
