import type { Session } from '../session/index.ts';

/** How one request changes the context, beside what policies do to it. */
export interface Step {
  readonly request: number;
  /** Blocks below this have entered the context when it is sent. */
  readonly at: number;
  /** Set where it starts a turn: blocks below this are of earlier turns. */
  readonly turnStart?: number;
  /** Blocks below this have entered the context when it is answered. */
  readonly end: number;
  /** Its reply is the last of its turn, as far as the segment goes. */
  readonly endsTurn: boolean;
}

/**
 * The requests of a segment, each with what enters the context before and after it. These are the bounds that replay keeps:
 * a recorded edit names positions in the view, so the fit has to see the very sequence of blocks that replay will see.
 */
export function segmentSteps(session: Session, index: number): Step[] {
  const segment = session.segments[index] as Session['segments'][number];
  const next = session.segments[index + 1];
  const endBlock = next?.firstBlock ?? session.blocks.length;
  const requests = session.requests.slice(segment.firstRequest, next?.firstRequest);
  const turns = session.turns.slice(segment.firstTurn, next?.firstTurn);
  // Turn 0 is the opening context of the segment.
  const turnOf = (at: number) => Math.max(0, (requests[at]?.turn ?? -1) - segment.firstTurn + 1);
  return requests.map(({ at, outputs }, position) => {
    const request = segment.firstRequest + position;
    const turn = turnOf(position);
    const isNew = turn !== (position === 0 ? 0 : turnOf(position - 1));
    const nextAt = session.requests[request + 1]?.at ?? Number.POSITIVE_INFINITY;
    return {
      request,
      at,
      ...(isNew ? { turnStart: turns[turn - 1]?.firstBlock ?? 0 } : {}),
      end: Math.min(at + outputs, nextAt, endBlock),
      endsTurn: position + 1 < requests.length && turnOf(position + 1) !== turn,
    };
  });
}
