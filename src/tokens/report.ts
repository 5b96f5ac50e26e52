import { type BlockKind, blockKinds } from '../session/index.ts';
import type { TokenAccount } from './account.ts';

/** How the token counts of a session came about. */
export interface TokenReport {
  /** Shares of the session's tokens: one block took all of a recorded growth, several shared it, or nothing was recorded. */
  readonly measured: number;
  readonly apportioned: number;
  readonly estimated: number;
  /** Mean distance of an estimate from the recorded growth, as a share of it. */
  readonly residual: number;
  /** Characters per token found, by kind of block; kinds without text are left out. */
  readonly charsPerToken: Partial<Record<BlockKind, number>>;
}

/** Reports on a session whose counts were fitted; undefined where nothing was recorded to fit them to. */
export function tokenReport({ session, blocks, fit }: TokenAccount): TokenReport | undefined {
  if (!fit) return undefined;
  const { measured, apportioned, estimated } = fit.known;
  const known = Math.max(1, measured + apportioned + estimated);
  const found = blockKinds.flatMap((kind) => {
    let chars = 0;
    let tokens = 0;
    session.blocks.forEach((block, index) => {
      if (block.kind !== kind || !block.size?.chars) return;
      chars += block.size.chars;
      tokens += blocks[index] as number;
    });
    return tokens > 0 ? [[kind, chars / tokens] as const] : [];
  });
  return {
    measured: measured / known,
    apportioned: apportioned / known,
    estimated: estimated / known,
    residual: fit.residual,
    charsPerToken: Object.fromEntries(found),
  };
}
