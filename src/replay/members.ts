import type { BlockId } from '../policies/plan.ts';
import type { Policy } from '../policies/policy.ts';
import type { View } from './view.ts';

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

/** The earliest boundary that a member named: the next edit of any of them leaves alone what stands before it. */
export function stableOf(members: readonly Member[], view: View): BlockId {
  let stable = -1;
  let position = Number.POSITIVE_INFINITY;
  for (const member of members) {
    const at = member.stable === -1 ? -1 : view.positionOf(member.stable);
    if (at !== -1 && at < position) {
      stable = member.stable;
      position = at;
    }
  }
  return stable;
}

/** What is kept free for the reply: the least that a member's system keeps by a rule of its own, else what the run keeps. */
export function reserveOf(members: readonly Member[], run: number): number {
  const own = members.flatMap(({ policy }) => policy.outputReserve ?? []);
  return own.length > 0 ? Math.min(...own) : run;
}

/** The window that a member's system takes a model to have; the first that knows it decides. */
export function assumedWindow(members: readonly Member[], model: string): number | undefined {
  for (const { policy } of members) {
    const window = policy.windowOf?.(model);
    if (window !== undefined) return window;
  }
  return undefined;
}
