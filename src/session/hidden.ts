import type { Block, Session } from './session.ts';

/**
 * The session with blocks put at the start of its segments: context that no transcript shows (system prompt, tool
 * definitions, files that were attached again after a compaction). Those of the first segment are kept through every
 * reset of which `keepsOpening` says so.
 */
export function withHiddenBlocks(
  session: Session,
  hidden: readonly (readonly Block[])[],
  keepsOpening: readonly boolean[],
): Session {
  /** Blocks put in up to and including each segment. */
  const inserted: number[] = [];
  for (const [index] of session.segments.entries()) {
    inserted.push((inserted[index - 1] ?? 0) + (hidden[index]?.length ?? 0));
  }
  const shiftOf = (segment: number) => inserted[Math.max(0, segment)] ?? 0;
  const { segments } = session;
  const opening = (hidden[0] ?? []).map((_, at) => at);
  return {
    ...session,
    blocks: segments.flatMap(({ firstBlock }, index) => [
      ...(hidden[index] ?? []),
      ...session.blocks.slice(firstBlock, segments[index + 1]?.firstBlock),
    ]),
    turns: session.turns.map((turn, at) => ({
      ...turn,
      firstBlock: turn.firstBlock + shiftOf(segments.findLastIndex(({ firstTurn }) => firstTurn <= at)),
    })),
    requests: session.requests.map((request, at) => ({
      ...request,
      at: request.at + shiftOf(segments.findLastIndex(({ firstRequest }) => firstRequest <= at)),
    })),
    segments: segments.map((segment, index) => ({
      ...segment,
      keeps: [
        ...(index > 0 && keepsOpening[index] ? opening : []),
        ...segment.keeps.map(
          (block) => block + shiftOf(segments.findLastIndex(({ firstBlock }) => firstBlock <= block)),
        ),
      ],
      firstBlock: segment.firstBlock + (inserted[index - 1] ?? 0),
    })),
  };
}
