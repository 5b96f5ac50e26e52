import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** What captures of Claude Code since 2.1.150 show: two markers on the system part, one on the last block. */
export const claudeCodePlanner: BreakpointPlanner = {
  name: 'claude-code',
  title: 'two on the system part, one on the last block (as captured; not documented)',
  plan: ({ view, systemEnd }, out) => placeMarkers(out, systemEnd - 1, systemEnd, view.length - 1, -1),
};

/**
 * Claude Code before that had a marker on each of the last two messages, so that the calls of an answer look back by themselves:
 * 14 recorded requests of 2.1.17 to 2.1.49 with 21 to 27 new blocks all read the whole prompt before. When it changed between
 * 2.1.49 and 2.1.150 is not known.
 */
export const earlyClaudeCode: BreakpointPlanner = {
  name: 'claude-code-early',
  title:
    'two on the system part, one on the last block of the last answer, one on the last block (before 2.1.150, as recorded)',
  plan: ({ view, systemEnd, lastReply }, out) =>
    placeMarkers(out, systemEnd - 1, systemEnd, lastReply, view.length - 1),
};

/** First version that was captured with one marker on the messages. */
const oneMarkerSince = [2, 1, 150] as const;

/** The planner of a version; the newest where none was recorded. */
export function claudeCodeOf(version: string | undefined): BreakpointPlanner {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (!parts) return claudeCodePlanner;
  const differs = oneMarkerSince.findIndex((part, at) => part !== parts[at]);
  const isEarlier = differs !== -1 && (parts[differs] as number) < (oneMarkerSince[differs] as number);
  return isEarlier ? earlyClaudeCode : claudeCodePlanner;
}
