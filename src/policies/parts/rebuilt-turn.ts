import type { BlockId, Edit, NewBlock } from '../plan.ts';
import type { ReadonlyState } from '../policy.ts';

/** One entry of a turn as the view has it. */
interface Entry {
  readonly id: BlockId;
  readonly origin: BlockId;
}

/**
 * What a harness sends of a finished turn that it builds again from its store, at positions `from … end - 1` of the view: no
 * thinking, and `merged` all of its calls in one message with the results behind it.
 */
export function rebuiltTurn(state: ReadonlyState, from: number, end: number, merged: boolean): Edit[] {
  const entries: Entry[] = [];
  for (let at = from; at < end; at += 1) {
    const id = state.viewAt(at);
    entries.push({ id, origin: state.originOf(id) });
  }
  return (merged ? mergedTurn(entries, state) : undefined) ?? withoutThinking(entries, state);
}

function withoutThinking(entries: readonly Entry[], state: ReadonlyState): Edit[] {
  return entries
    .filter((entry) => isThinking(entry, state))
    .map(({ id }) => ({ from: id, to: id, with: [], sticky: true, reason: 'thinking of a turn that was built again' }));
}

/** Undefined where the order does not change, or where something stands that is no block of the session. */
function mergedTurn(entries: readonly Entry[], state: ReadonlyState): Edit[] | undefined {
  if (entries.some(({ origin }) => origin === -1)) return undefined;
  const kept = entries.filter((entry) => !isThinking(entry, state));
  const seen = new Set<BlockId>();
  const isResult = new Map<Entry, boolean>();
  for (const entry of kept) {
    // A second entry for one call is the placeholder of its missing result.
    isResult.set(entry, state.block(entry.origin).kind === 'result' || seen.has(entry.origin));
    seen.add(entry.origin);
  }
  const order = [...kept.filter((entry) => !isResult.get(entry)), ...kept.filter((entry) => isResult.get(entry))];
  if (order.every((entry, at) => entry === kept[at])) return undefined;
  const same = order.findIndex((entry, at) => entry !== entries[at]);
  const [first, last] = [entries[same], entries.at(-1)];
  if (!first || !last) return undefined;
  const put = order.slice(same).map((entry): NewBlock => {
    const kind = entry.id === entry.origin ? state.block(entry.origin).kind : isResult.get(entry) ? 'stub' : 'call';
    return { kind, tokens: state.tokens(entry.id), of: entry.origin };
  });
  return [{ from: first.id, to: last.id, with: put, sticky: true, reason: 'calls of a finished turn in one message' }];
}

function isThinking({ origin }: Entry, state: ReadonlyState): boolean {
  return origin !== -1 && state.block(origin).kind === 'thinking';
}
