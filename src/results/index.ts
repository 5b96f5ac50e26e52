export { type Basis, orderedBasis, type StoredSession } from './basis.ts';
export {
  type BillPart,
  type PartKind,
  type PartName,
  type RequestTrace,
  type Resent,
  type ResentCause,
  resentCauses,
} from './bill-part.ts';
export type { BreakEven } from './break-even.ts';
export { type ByPrice, billAt, type PriceWeights } from './by-price.ts';
export {
  type CheckedRow,
  type CheckedSession,
  type CheckMetric,
  type CheckOutcome,
  type CheckOver,
  type CheckResult,
  type CheckRule,
  type Config,
  checkMetrics,
  configSchema,
} from './check.ts';
export type { ExplainedPart, ExplainedRequest, ResultDetail } from './detail.ts';
export type { Explanation } from './explanation.ts';
export { addCallCounts, costOf, expectedLedger, mergeLedgers, usageOf } from './ledger.ts';
export type { LedgerLine, RatesPerMTok } from './ledger-line.ts';
export {
  type CacheEvent,
  type CallCounts,
  type Foresight,
  notApplicable,
  type RefetchOutcome,
  type RowOutcome,
  type SessionOutcome,
  type SpendKind,
  spendKinds,
} from './outcome.ts';
export { bestSetting, bySaving, isSetting, namedRow, yardstickPolicy } from './settings.ts';
export { parseResult } from './stored.ts';
export { storedOutcomes, storeOutcomes } from './stored-outcomes.ts';
export type { CrossValidation, Recommendation, Sweep, SweepAxis, SweptScenario } from './sweep.ts';
export { notableUnpriced, unpricedShareOf, unpricedTokens } from './unpriced.ts';
