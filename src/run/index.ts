export { type BacktestedSession, backtestFiles } from './backtest.ts';
export { type ConvertedSession, convertContentFree, convertFiles, knownNames } from './convert.ts';
export { type JobOptions, type Origin, replaySession } from './job.ts';
export { loadPolicyFile } from './policy-file.ts';
export { type ReadFile, type ReadOptions, readFiles } from './read.ts';
export {
  explainFiles,
  type KeptOutcomes,
  type ReplayRun,
  recommendFiles,
  replayFiles,
  replayScenarios,
  type ScenarioJob,
  sweepScenarios,
} from './replay-files.ts';
export { clearStore, openStore, storeFacts } from './store.ts';
