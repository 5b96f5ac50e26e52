import type { Block } from '../session/index.ts';
import type { Entry } from './recorded-view.ts';

/** Context that no transcript shows, as one block. */
export function hiddenBlock(kind: Block['kind'], tokens: number): Block {
  return { kind, size: { chars: 0, lines: 0, tokens: 0 }, hiddenTokens: tokens };
}

/** Tokens of such a block. */
export function hiddenOf({ hiddenTokens }: Block): number {
  return hiddenTokens ?? 0;
}

/** Its place in the recorded view. */
export function hiddenEntry(block: Block): Entry {
  return { kind: block.kind, tokens: hiddenOf(block) };
}

/** Hidden opening context as the system part, up to where a cached prefix was seen to end, and what follows it. */
export function openingOf(tokens: number, system = 0): Block[] {
  if (system <= 0 || system >= tokens) return [hiddenBlock('system', tokens)];
  return [hiddenBlock('system', system), hiddenBlock('meta', tokens - system)];
}
