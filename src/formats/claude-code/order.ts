import type { Entry } from './entries.ts';

/**
 * The lines with each behind its parent: a result may be written before the call it answers. Order is otherwise that of the
 * file; lines in a circle come last.
 */
export function parentsFirst(entries: readonly Entry[]): readonly Entry[] {
  const known = new Set(entries.map(({ uuid }) => uuid));
  const placed = new Set<string | undefined>([undefined]);
  const waiting = new Map<string, Entry[]>();
  const ordered: Entry[] = [];
  for (const entry of entries) {
    if (entry.parent === undefined || placed.has(entry.parent) || !known.has(entry.parent)) {
      place(entry, ordered, placed, waiting);
      continue;
    }
    const others = waiting.get(entry.parent);
    if (others) others.push(entry);
    else waiting.set(entry.parent, [entry]);
  }
  if (ordered.length === entries.length) return ordered;
  const done = new Set(ordered);
  return [...ordered, ...entries.filter((entry) => !done.has(entry))];
}

function place(first: Entry, ordered: Entry[], placed: Set<string | undefined>, waiting: Map<string, Entry[]>): void {
  const next = [first];
  for (let entry = next.pop(); entry; entry = next.pop()) {
    ordered.push(entry);
    if (entry.uuid === undefined) continue;
    placed.add(entry.uuid);
    const children = waiting.get(entry.uuid);
    if (!children) continue;
    waiting.delete(entry.uuid);
    next.push(...children.reverse());
  }
}
