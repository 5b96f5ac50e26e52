export type { CallCounts, CallEntry } from './calls.ts';
export type { Conditions } from './conditions.ts';
export type { LedgerEntry } from './ledger.ts';
export { type LaneReplay, type ReplayObserver, type ReplayOptions, replayLane } from './replay.ts';
export { SpendSplit, spendColumns } from './spend.ts';
export { type LaneModel, layOut, type Timeline } from './timeline.ts';
