import { type Entry, isReset, isTalk, type Tree } from './entries.ts';
import { addSideLines } from './side-lines.ts';

/** Share of lines without their parent above which the chain is not trusted. */
const maxDanglingShare = 0.05;

/**
 * The lines that stand in the context of the last one, in file order; the others belong to branches that were left.
 * Undefined where the tree is broken: then the order of the file is all there is.
 */
export function activePath(
  entries: readonly Entry[],
  isPrompt: (entry: Entry) => boolean,
  responses: ReadonlyMap<Entry, unknown>,
): Set<Entry> | undefined {
  const tree = growTree(entries);
  if (!tree) return undefined;
  const path = walkToRoot(entries, tree);
  return path && addSideLines(entries, tree, path, { isPrompt, responses });
}

function growTree(entries: readonly Entry[]): Tree | undefined {
  const byUuid = new Map<string, Entry>();
  const position = new Map<Entry, number>();
  for (const [at, entry] of entries.entries()) {
    position.set(entry, at);
    if (entry.uuid !== undefined) byUuid.set(entry.uuid, entry);
  }
  const inTree = entries.filter(({ uuid }) => uuid !== undefined);
  const parents = new Set(inTree.map(({ parent }) => parent));
  const isRoot = (entry: Entry) =>
    entry.parent === undefined && !isReset(entry) && (isTalk(entry) || parents.has(entry.uuid));
  const roots = inTree.filter(isRoot).length;
  const dangling = inTree.filter(({ parent }) => parent !== undefined && !byUuid.has(parent)).length;
  // A file that was cut at its start has no root but one line whose parent is missing.
  const whole = roots === 1 ? dangling <= inTree.length * maxDanglingShare : roots === 0 && dangling <= 1;
  const complete = entries.every((entry) => entry.uuid !== undefined || !isTalk(entry));
  return whole && complete ? { byUuid, position } : undefined;
}

/** From the last message up; above a reset, and where a parent is missing, the message before it goes on. */
function walkToRoot(entries: readonly Entry[], tree: Tree): Set<Entry> | undefined {
  const path = new Set<Entry>();
  for (let at = lastTalk(entries, entries.length); at !== undefined; at = above(entries, at, tree)) {
    // A circle: the chain says nothing about order.
    if (path.has(at)) return undefined;
    path.add(at);
  }
  return path;
}

function above(entries: readonly Entry[], entry: Entry, { byUuid, position }: Tree): Entry | undefined {
  if (!isReset(entry)) {
    if (entry.parent === undefined) return undefined;
    const parent = byUuid.get(entry.parent);
    if (parent) return parent;
  }
  return lastTalk(entries, position.get(entry) ?? 0);
}

function lastTalk(entries: readonly Entry[], before: number): Entry | undefined {
  for (let at = before - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry && (isTalk(entry) || isReset(entry))) return entry;
  }
  return undefined;
}
