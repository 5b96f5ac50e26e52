import type { Entry, Note } from './entries.ts';

/**
 * The lines that stand in the context of the last one; the others belong to branches that were left. A line without an id
 * follows the one before it, and so does one whose parent is not above it: that is counted.
 */
export function activePath(entries: readonly Entry[], note: Note): Set<Entry> {
  const parents = parentsOf(entries, note);
  const path = new Set<Entry>();
  for (let at = entries.length - 1; at >= 0; at = parents[at] ?? -1) path.add(entries[at] as Entry);
  return path;
}

/** By position, the position of the line above; -1 for a root. Always an earlier one, so that there are no circles. */
function parentsOf(entries: readonly Entry[], note: Note): number[] {
  const byId = new Map<string, number>();
  return entries.map(({ id, parent, line }, at) => {
    const above = byId.get(parent ?? '');
    // Behind the look-up: a line may have the id of the one that it hangs on.
    if (id !== undefined) byId.set(id, at);
    if (id === undefined || parent === undefined) return at - 1;
    if (parent === null) return -1;
    if (above !== undefined) return above;
    note('broken-tree', line);
    return at - 1;
  });
}
