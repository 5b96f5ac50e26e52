import type { SessionResult } from '../results/result.ts';

/** Dollars per family, baseline and row at the same index; a family in which nothing compares has two zeros. */
export interface PairedCosts {
  readonly baseline: readonly number[];
  readonly row: readonly number[];
}

/** What grouping needs of a session. */
export type FamilyMember = Pick<SessionResult, 'id' | 'parent'>;

/**
 * Groups sessions with their sub-agents: only families are independent of each other, so only they are drawn.
 * Families and members are ordered by id, so that the order of the input changes nothing.
 */
export function familiesOf<T extends FamilyMember>(sessions: readonly T[]): T[][] {
  const parents = new Map(sessions.map(({ id, parent }) => [id, parent]));
  const families = new Map<string, T[]>();
  for (const session of [...sessions].sort((a, b) => compare(a.id, b.id))) {
    const root = rootOf(session.id, parents);
    const family = families.get(root);
    if (family) family.push(session);
    else families.set(root, [session]);
  }
  return [...families].sort(([a], [b]) => compare(a, b)).map(([, members]) => members);
}

/** Dollars of a row and its baseline per family, over the sessions that both could send. */
export function pairedCosts(
  families: readonly (readonly SessionResult[])[],
  baselineLabel: string,
  rowLabel: string,
): PairedCosts {
  const baseline: number[] = [];
  const row: number[] = [];
  for (const family of families) {
    let spentByBaseline = 0;
    let spentByRow = 0;
    for (const { cost } of family) {
      const [ofBaseline, ofRow] = [cost[baselineLabel] ?? null, cost[rowLabel] ?? null];
      if (ofBaseline === null || ofRow === null) continue;
      spentByBaseline += ofBaseline;
      spentByRow += ofRow;
    }
    baseline.push(spentByBaseline);
    row.push(spentByRow);
  }
  return { baseline, row };
}

/** The topmost known ancestor; a parent that was not read still holds its children together. */
function rootOf(id: string, parents: ReadonlyMap<string, string | undefined>): string {
  const seen = new Set<string>();
  let root = id;
  for (let next = parents.get(root); next !== undefined && !seen.has(next); next = parents.get(next)) {
    seen.add(next);
    root = next;
  }
  // In a circle of parents every member must find the same root.
  return seen.has(id) ? ([...seen].sort(compare)[0] ?? root) : root;
}

/** By code unit, not by locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
