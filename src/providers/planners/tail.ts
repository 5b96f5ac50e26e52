import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** One marker behind the system part, one on the last block (seed-policies §3.1). */
export const tail: BreakpointPlanner = {
  name: 'tail',
  title: 'system end and last block',
  plan: ({ view, systemEnd }, out) => placeMarkers(out, systemEnd, view.length - 1, -1, -1),
};
