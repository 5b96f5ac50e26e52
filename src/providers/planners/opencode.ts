import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** OpenCode and Kilo (Kilo-Org/cloud#620): a single marker, on the last block. */
export const opencode: BreakpointPlanner = {
  name: 'opencode',
  title: 'the last block only (OpenCode, Kilo)',
  plan: ({ view }, out) => placeMarkers(out, view.length - 1, -1, -1, -1),
};
