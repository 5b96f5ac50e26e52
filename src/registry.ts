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
  const isMeant = (near: string) => distance(name.toLowerCase(), near.toLowerCase()) <= editsOfTypo(near);
  const meant = nearestNames(name, known).find(isMeant);
  const hint = `${meant ? `Did you mean "${meant}"? ` : ''}Known: ${known.join(', ')}.`;
  return new CtxsimError('unknown-name', `unknown ${kind} "${name}"`, hint);
}

/** The same where the names are too many to print: the nearest few, and the command that lists them all. */
export function unknownNameOfMany(kind: string, name: string, known: readonly string[], listedBy: string): CtxsimError {
  const near = nearestNames(name, known).join(', ');
  return new CtxsimError('unknown-name', `unknown ${kind} "${name}"`, `Nearest: ${near}. All of them: ${listedBy}`);
}

/** The three known names with the fewest edits; a name inside a known one (`fable`) is nearer than any edits say. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const asked = name.toLowerCase();
  const editsTo = (candidate: string) => (candidate.includes(asked) ? 0 : distance(asked, candidate));
  return known
    .map((candidate) => ({ candidate, edits: editsTo(candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Edits up to which a name may be a slip of another: a third of its length. */
function editsOfTypo(name: string): number {
  return Math.max(2, Math.ceil(name.length / 3));
}
