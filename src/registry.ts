import { distance } from 'fastest-levenshtein';
import { CtxsimError } from './errors.ts';

/** The one list of a plug-in kind. Help text, validation, `list` and the contract tests derive from it. */
export interface Registry<T extends { readonly name: string }> {
  readonly kind: string;
  readonly all: readonly T[];
  readonly names: readonly string[];
  /** @throws CtxsimError `unknown-name`, listing what is known and the nearest name. */
  get(name: string): T;
  find(name: string): T | undefined;
}

/** Builds a registry; throws a plain Error on a duplicate name, because two plug-ins would collapse into one row. */
export function createRegistry<T extends { readonly name: string }>(kind: string, entries: readonly T[]): Registry<T> {
  const byName = new Map<string, T>();
  for (const entry of entries) {
    if (byName.has(entry.name)) throw new Error(`two ${kind} entries are called "${entry.name}"`);
    byName.set(entry.name, entry);
  }
  const names = [...byName.keys()];
  return {
    kind,
    all: entries,
    names,
    find: (name) => byName.get(name),
    get(name) {
      const entry = byName.get(name);
      if (entry) return entry;
      throw unknownName(kind, name, names);
    },
  };
}

/** The error for a name that is not in a list: what was given, what is known, and what may have been meant. */
export function unknownName(kind: string, name: string, known: readonly string[]): CtxsimError {
  const near = nearest(name, known);
  const hint = `${near ? `Did you mean "${near}"? ` : ''}Known: ${known.join(', ')}.`;
  return new CtxsimError('unknown-name', `unknown ${kind} "${name}"`, hint);
}

/** The known name within a third of its length in edits, if any. */
function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < bestDistance) [best, bestDistance] = [candidate, edits];
  }
  return best !== undefined && bestDistance <= Math.max(2, Math.ceil(best.length / 3)) ? best : undefined;
}
