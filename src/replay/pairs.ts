import type { BlockId, Edit } from '../policies/plan.ts';
import type { View } from './view.ts';

/**
 * A plan must never leave a result without its call, or a call without its result: providers refuse such requests.
 * Throws a plain Error, because a policy that does so has a bug.
 */
export function checkPairs(edits: readonly Edit[], view: View, pair: Int32Array): void {
  const gone = new Set<BlockId>();
  for (const edit of edits) {
    if (edit.opaque) continue;
    const kept = new Set(edit.with.map((block) => block.of));
    for (let at = view.positionOf(edit.from); at <= view.positionOf(edit.to); at += 1) {
      const origin = view.originOf(view.ids[at] as BlockId);
      if (origin !== -1 && !kept.has(origin)) gone.add(origin);
    }
  }
  for (const block of gone) {
    const other = pair[block] ?? -1;
    if (other === -1 || gone.has(other)) continue;
    if (inView(view, other))
      throw new Error(`an edit removes block ${block} but leaves ${other}, the other half of its call`);
  }
}

function inView(view: View, block: BlockId): boolean {
  if (view.positionOf(block) !== -1) return true;
  for (let at = 0; at < view.length; at += 1) if (view.originOf(view.ids[at] as BlockId) === block) return true;
  return false;
}
