export { SessionBuilder, type SessionFacts } from './builder.ts';
export { type KnownNames, WordRemover } from './content-free.ts';
export { countLines, type DerivedName, derivedTexts, isSuccessfulCommand } from './derived.ts';
export { addFinding, compareText, type Finding, Findings, isBilledElsewhere, type TokenCount } from './findings.ts';
export { withHiddenBlocks } from './hidden.ts';
export { promptBlocks, withOpening } from './opening.ts';
export {
  type AbandonedRequest,
  answeredTurns,
  type BilledTier,
  type Block,
  type BlockKind,
  type BlockSize,
  blockKinds,
  humanTurns,
  modelOf,
  type Request,
  type RequestSettings,
  type RequestTotals,
  type Segment,
  type SegmentReason,
  type Served,
  type Session,
  type SettingName,
  type ToolAction,
  type Turn,
  toolActions,
} from './session.ts';
export { unansweredCalls } from './unanswered.ts';
export {
  addUsage,
  isPossible,
  largestCount,
  largestOutput,
  promptTokens,
  type Usage,
  type UsageClass,
  usageClasses,
  zeroUsage,
} from './usage.ts';
