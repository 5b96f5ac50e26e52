export { addCallCounts, costOf, mergeLedgers, usageOf } from './ledger.ts';
export {
  type CacheLoss,
  type CallCounts,
  type Foresight,
  type LedgerLine,
  notApplicable,
  type RatesPerMTok,
  type RowOutcome,
  type SessionOutcome,
  type SpendKind,
  spendKinds,
} from './outcome.ts';
