import type { Block, Session } from './session.ts';

/**
 * The session with one more block at the very start of its context, kept through every recorded reset: the system prompt
 * and tool definitions that most transcripts do not show. A warm prefix takes it in, because it stands before it.
 */
export function withOpening(session: Session, opening: Block): Session {
  return {
    ...session,
    ...(session.warmBlocks ? { warmBlocks: session.warmBlocks + 1 } : {}),
    blocks: [opening, ...session.blocks],
    turns: session.turns.map((turn) => ({ ...turn, firstBlock: turn.firstBlock + 1 })),
    requests: session.requests.map((request) => ({ ...request, at: request.at + 1 })),
    segments: session.segments.map((segment, index) => ({
      ...segment,
      keeps: index === 0 ? [] : [0, ...segment.keeps.map((block) => block + 1)],
      firstBlock: index === 0 ? 0 : segment.firstBlock + 1,
    })),
  };
}

/** The blocks of a request's prompt as recorded, in order: the kept ones, then those since the segment began. */
export function promptBlocks(session: Session, requestIndex: number): number[] {
  const request = session.requests[requestIndex];
  if (!request) throw new Error(`no request ${requestIndex}`);
  const segment = session.segments.findLast((candidate) => candidate.firstRequest <= requestIndex);
  if (!segment) return [];
  const blocks = [...segment.keeps];
  for (let block = segment.firstBlock; block < request.at; block += 1) blocks.push(block);
  return blocks;
}
