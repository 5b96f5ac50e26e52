/** The public library: what the command line is made of. */
export { type CheckInput, checkResult, mergeResults } from './analysis/index.ts';
export { CtxsimError, exitCodes } from './errors.ts';
export { formats } from './formats/index.ts';
export { definePolicy, type PolicyDefinition, parsePolicies, policies, presets } from './policies/index.ts';
export type { Edit, ExtraCall, NewBlock, Plan } from './policies/plan.ts';
export type { ParamSpec, Policy, PolicyEvent, PolicyKind, ReadonlyState, Settings } from './policies/policy.ts';
export { cacheModels, loadPriceBook, planners, withFrozenCards, withService } from './providers/index.ts';
export { reporters } from './reporters/index.ts';
export { type CheckResult, type CheckRule, parseResult } from './results/index.ts';
export type { Result, ResultRow } from './results/result.ts';
export {
  type ConvertedSession,
  convertContentFree,
  convertFiles,
  type JobOptions,
  loadPolicyFile,
  type ReadOptions,
  readFiles,
  replayFiles,
  replaySession,
} from './run/index.ts';
export type { Block, Request, Session, Usage } from './session/index.ts';
export { Findings, SessionBuilder } from './session/index.ts';
export { writeNative } from './session/native.ts';
