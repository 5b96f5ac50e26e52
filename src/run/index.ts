export { type BacktestedSession, backtestFiles } from './backtest.ts';
export { type ConvertedSession, convertContentFree, convertFiles, knownNames } from './convert.ts';
export { type Executor, inThisThread, type ScenarioJob } from './executor.ts';
export { type JobOptions, type Origin, replaySession } from './job.ts';
export { loadPolicyFile } from './policy-file.ts';
export { type ReadFile, type ReadOptions, readFiles } from './read.ts';
export {
  explainFiles,
  type ReplayRun,
  type ReplayWork,
  recommendFiles,
  replayFiles,
  replayScenarios,
  sweepScenarios,
} from './replay-files.ts';
export type { Selection } from './selection.ts';
export { clearStore, type KeptOutcomes, openStore, storeFacts } from './store.ts';
