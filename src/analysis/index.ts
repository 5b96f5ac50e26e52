export { type AnswerCounts, answerOf } from './answer.ts';
export { BillAttribution } from './attribution.ts';
export {
  type BacktestRequest,
  type BacktestSession,
  causeOf,
  causesOf,
  costError,
  eventsOf,
  isEdited,
  isOutsideEvent,
  mainCauseOf,
  scoreOf,
} from './backtest.ts';
export { leastBill } from './bound.ts';
export { type CheckInput, checkResult } from './check.ts';
export { isMoreBetter, limitsOf } from './check-rules.ts';
export { tracedRows } from './detail.ts';
export { explain } from './explain.ts';
export { type FamilyMember, familiesOf, type PairedCosts, pairedCosts } from './families.ts';
export { editRuleOf, type Foretold, HarnessMemory, lifetimeSeconds } from './harness.ts';
export { type Estimate, effectiveCount, estimateSaving, type Interval, pooledSaving } from './interval.ts';
export { joinScenarios, labelled, type Scenario } from './join.ts';
export { type LaterUses, laterUses, quotedResults } from './later-uses.ts';
export { mergeResults, type NamedResult, type RunSettings, resultOf, scenarioResults } from './merge.ts';
export { cheapestSchedule } from './optimum.ts';
export { type Places, recommend } from './recommend.ts';
export { RefetchRisk } from './refetch.ts';
export { type CountedRow, type PricedRow, type PricedTotals, priceRows, totalsOf } from './reprice.ts';
export { classKeys, labelColumns, readCounts, type TableKey, tableColumns, tableKeys } from './reprice-columns.ts';
export { solvePrices } from './reprice-solve.ts';
export type { RowMeta, RunMeta } from './run-meta.ts';
export { expiryLagSeconds } from './session-memory.ts';
export { signTest } from './sign-test.ts';
export { studentQuantile } from './student.ts';
export { summarize } from './summarize.ts';
export { sweepOf } from './sweep.ts';
export { type Evidence, verdictOf } from './verdict.ts';
