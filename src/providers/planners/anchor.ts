import type { BreakpointPlanner } from '../provider.ts';
import { addMarker, placeMarkers } from './places.ts';

/**
 * The markers that any policy would want (seed-policies §3.1): the system end, the boundary that the previous request
 * marked as stable (to be read now), the stable boundary now (to be read after the next edit), and the last block. A boundary
 * that has not moved leaves one free: the last block of the request before, which may be beyond the look-back from the new one.
 */
export const anchor: BreakpointPlanner = {
  name: 'anchor',
  title:
    "system end, the policy's stable boundary before and now, last block; where these are fewer than four, the last block before",
  plan: ({ view, systemEnd, previousStable, stable, previousTail }, out) =>
    addMarker(out, placeMarkers(out, systemEnd, previousStable, stable, view.length - 1), previousTail),
};
