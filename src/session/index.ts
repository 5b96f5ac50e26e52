export { SessionBuilder, type SessionFacts } from './builder.ts';
export { countLines, type DerivedName, derivedTexts, failed, isSuccessfulCommand } from './derived.ts';
export { compareText, type Finding, Findings } from './findings.ts';
export { promptBlocks, withOpening } from './opening.ts';
export {
  type AbandonedRequest,
  type Block,
  type BlockKind,
  type BlockSize,
  humanTurns,
  modelOf,
  type Request,
  type Segment,
  type SegmentReason,
  type Session,
  type ToolAction,
  type Turn,
} from './session.ts';
export { addUsage, promptTokens, type Usage, type UsageClass, usageClasses, zeroUsage } from './usage.ts';
