export { estimateTokens, type TokenAccount } from './account.ts';
export { loadTokenCounter, type TokenCounter } from './counter.ts';
export { tokenizerGeneration, tokenizerGenerations } from './generations.ts';
export { measureSession, needsCounter } from './measure.ts';
