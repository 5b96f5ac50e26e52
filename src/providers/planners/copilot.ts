import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** VS Code Copilot (microsoft/vscode#315505, 2026-05-10): last tool, end of the system prompt, the two most recent messages. */
export const copilot: BreakpointPlanner = {
  name: 'copilot',
  title: 'last tool, system end, the two most recent messages (read in an issue of 2026-05-10)',
  plan: ({ view, systemEnd, previousTail }, out) =>
    placeMarkers(out, systemEnd - 1, systemEnd, previousTail, view.length - 1),
};
