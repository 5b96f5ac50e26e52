export { type AnswerCounts, answerOf } from './answer.ts';
export {
  type BootstrapOptions,
  bootstrapSavings,
  comparable,
  defaultDraws,
  type Interval,
  minFamilies,
  pooledSaving,
} from './bootstrap.ts';
export { type FamilyMember, familiesOf, type PairedCosts, pairedCosts } from './families.ts';
export { type RowMeta, type RunMeta, summarize } from './summarize.ts';
export { type Evidence, verdictOf } from './verdict.ts';
