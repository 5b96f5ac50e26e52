import type { BlockId } from '../policies/plan.ts';
import type { Policy } from '../policies/policy.ts';

/** A policy that is asked, and the boundary that it last named; -1 before it has. */
export interface Member {
  readonly policy: Policy;
  stable: BlockId;
}

/** The policies that a pipeline is made of, those that want no event left out. */
export function membersOf(policy: Policy): Member[] {
  if (policy.members) return policy.members.flatMap(membersOf);
  return policy.events.length > 0 ? [{ policy, stable: -1 }] : [];
}
