import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** System end, the last block of the previous request and the last block (seed-policies §3.1): the two newest messages. */
export const lastTwo: BreakpointPlanner = {
  name: 'last-two',
  title: 'system end, last block of the previous request, last block',
  plan: ({ view, systemEnd, previousTail }, out) => placeMarkers(out, systemEnd, previousTail, view.length - 1, -1),
};
