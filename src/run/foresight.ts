import { cheapestSchedule, leastBill } from '../analysis/index.ts';
import type { PolicySpec } from '../policies/index.ts';
import type { Policy } from '../policies/policy.ts';
import type { ReplayOptions, Timeline } from '../replay/index.ts';
import type { Foresight } from '../results/index.ts';

/** How a row's policies are made, and what was found out on the way. */
interface PolicyMaker {
  createPolicy(segment: number): Policy;
  readonly foresight?: Foresight;
}

/** Makes the policies of a row; for one that knows the future, the cheapest schedule is searched first. */
export function policyMaker(
  { kind, settings }: PolicySpec,
  timeline: Timeline,
  options: Omit<ReplayOptions, 'createPolicy' | 'observer'>,
): PolicyMaker {
  const scheduled = kind.createScheduled?.bind(kind, settings);
  if (!scheduled) return { createPolicy: () => kind.create(settings) };
  const search = { timeline, options, createPolicy: scheduled };
  const { acts, isExact } = cheapestSchedule(search);
  return {
    createPolicy: (segment) => scheduled(acts[segment] ?? []),
    foresight: { isExact, leastUsd: leastBill(search) },
  };
}
