import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/**
 * The markers that any policy would want (seed-policies §3.1): the system end, the boundary that the previous request
 * marked as stable (to be read now), the stable boundary now (to be read after the next edit), and the last block.
 */
export const anchor: BreakpointPlanner = {
  name: 'anchor',
  title: "system end, the policy's stable boundary before and now, last block",
  plan: ({ view, systemEnd, previousStable, stable }, out) =>
    placeMarkers(out, systemEnd, previousStable, stable, view.length - 1),
};
