import type { Edit, ExtraCall } from '../policies/plan.ts';
import type { CacheRequest, CacheRules, RateCard, Split } from '../providers/provider.ts';
import type { View } from './view.ts';

/** How a request or a shared call reached its model's cache. One object, filled anew: read it at once. */
export interface Sent {
  /** Index of the model, in the timeline or behind it. */
  readonly model: number;
  /** Leading positions of the view that this model's cache was sent before. */
  readonly known: number;
  /** Of those, how many an outside event left; `known` where nothing was lost. */
  readonly kept: number;
  /** Tokens that would have been read but for the expected losses. */
  readonly expectedLoss: number;
  readonly request: CacheRequest;
  readonly rules: CacheRules;
}

/** Several observers of one replay, in their order. */
export function together(observers: readonly ReplayObserver[]): ReplayObserver {
  return {
    onSegment: () => {
      for (const each of observers) each.onSegment?.();
    },
    onEdits: (...of) => {
      for (const each of observers) each.onEdits?.(...of);
    },
    onTooLong: () => {
      for (const each of observers) each.onTooLong?.();
    },
    onRequest: (...of) => {
      for (const each of observers) each.onRequest(...of);
    },
    onCall: (...of) => {
      for (const each of observers) each.onCall?.(...of);
    },
  };
}

/** Sees every request after it was split; used to attribute a bill. */
export interface ReplayObserver {
  onSegment?(): void;
  /** The edits of one plan, before they are made. */
  onEdits?(view: View, edits: readonly Edit[]): void;
  /** The next request is longer than the window allows. */
  onTooLong?(): void;
  onRequest(view: View, unchanged: number, split: Split, request: number, tier: number, sent: Sent): void;
  /** An extra call, billed at a tier of a card; `sent` is undefined where it shared no prefix. */
  onCall?(call: ExtraCall, card: RateCard, tier: number, split: Split, view: View, sent?: Sent): void;
}
