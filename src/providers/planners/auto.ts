import type { BreakpointPlanner } from '../provider.ts';
import { placeMarkers } from './places.ts';

/** Anthropic's automatic caching (providers.md §1.1, since 2026-02-19): the provider marks the last block by itself. */
export const auto: BreakpointPlanner = {
  name: 'auto',
  title: "the provider's own: one marker, on the last block (not on Bedrock's older models)",
  plan: ({ view }, out) => placeMarkers(out, view.length - 1, -1, -1, -1),
};
