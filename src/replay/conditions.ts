/**
 * What happened to the cache of a lane from outside, request by request. It is no doing of any policy, so every policy
 * meets the same.
 */
export interface Conditions {
  /** Leading tokens of the prompt that other sessions keep in the cache; 0 for none. */
  readonly warm: Float64Array;
  /** 1 where a request that the transcript does not show came just before: it carried what stood, and the reply to it. */
  readonly unseen: Uint8Array;
  /** Leading tokens of the previous prompt that were still in the cache when the request came; NaN where nothing was lost. */
  readonly kept: Float64Array;
}
