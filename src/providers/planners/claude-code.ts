import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** What captures of Claude Code show (providers.md §1.7): two markers on the system part, one on the last block. */
export const claudeCodePlanner: BreakpointPlanner = {
  name: 'claude-code',
  title: 'two on the system part, one on the last block (as captured; not documented)',
  plan: ({ view, systemEnd }, out) => placeMarkers(out, systemEnd - 1, systemEnd, view.length - 1, -1),
};
