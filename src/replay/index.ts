export type { CallCounts } from './calls.ts';
export { type Conditions, nothingLost } from './conditions.ts';
export type { FeeEntry } from './fees.ts';
export type { LedgerEntry } from './ledger.ts';
export { type ReplayObserver, type Sent, together } from './observer.ts';
export { type LaneReplay, providerDropsThinking, type ReplayOptions, replayLane } from './replay.ts';
export { SpendSplit, spendColumns } from './spend.ts';
export { type LaneModel, layOut, type Timeline } from './timeline.ts';
export type { View } from './view.ts';
