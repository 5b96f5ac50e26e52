export { costOf, mergeLedgers, usageOf } from './ledger.ts';
export {
  type CacheLoss,
  type LedgerLine,
  type RatesPerMTok,
  type RowOutcome,
  type SessionOutcome,
  type SpendKind,
  spendKinds,
} from './outcome.ts';
