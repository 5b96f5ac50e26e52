/** The public library: what the command line is made of. */
export { CtxsimError, exitCodes } from './errors.ts';
export { formats } from './formats/index.ts';
export { parsePolicies, policies } from './policies/index.ts';
export { cacheModels, planners } from './providers/index.ts';
export { loadPriceBook } from './providers/prices/index.ts';
export { reporters } from './reporters/index.ts';
export type { Result, ResultRow } from './results/result.ts';
export { type JobOptions, replaySession } from './run/job.ts';
export { type ReadOptions, readFiles } from './run/read.ts';
export { replayFiles } from './run/replay-files.ts';
export { SessionBuilder } from './session/builder.ts';
export { Findings } from './session/findings.ts';
export { writeNative } from './session/native.ts';
export type { Block, Request, Session } from './session/session.ts';
export type { Usage } from './session/usage.ts';
