export { estimateTokens, type TokenAccount } from './account.ts';
export { countSession } from './count-session.ts';
export { loadTokenCounter, type TokenCounter } from './counter.ts';
export type { Fit } from './fit.ts';
export { tokenizerGeneration } from './generations.ts';
export { measureSession, needsCounter } from './measure.ts';
export type { RecordedEdit } from './recorded-view.ts';
export { type TokenReport, tokenReport } from './report.ts';
export { stripsThinking } from './thinking.ts';
