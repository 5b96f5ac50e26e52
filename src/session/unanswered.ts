import type { Session } from './session.ts';

/** How many calls of a session nothing answers: providers refuse a request that carries one, so something was not recorded. */
export function unansweredCalls({ blocks }: Session): number {
  const answered = new Set(blocks.flatMap(({ kind, callId }) => (kind === 'result' && callId ? [callId] : [])));
  return blocks.filter(({ kind, callId }) => kind === 'call' && callId !== undefined && !answered.has(callId)).length;
}
