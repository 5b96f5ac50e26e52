import type { Entry } from './entries.ts';

/** The lines of one linear context. */
export interface Lane {
  /** Absent for the main conversation. */
  readonly agent: string | undefined;
  readonly entries: readonly Entry[];
}

/**
 * The main conversation first, then each sub-agent in order of appearance. Old files name no agent: there the lines of a
 * sub-agent are those below one root.
 */
export function splitLanes(entries: readonly Entry[]): Lane[] {
  const byUuid = new Map<string, Entry>();
  for (const entry of entries) if (entry.sidechain && entry.uuid !== undefined) byUuid.set(entry.uuid, entry);
  const main: Entry[] = [];
  const agents = new Map<string, Entry[]>();
  const roots = new Map<Entry, string>();
  for (const entry of entries) {
    if (!entry.sidechain) {
      main.push(entry);
      continue;
    }
    const agent = entry.agentId ?? nameOfRoot(rootOf(entry, byUuid), roots);
    const lane = agents.get(agent);
    if (lane) lane.push(entry);
    else agents.set(agent, [entry]);
  }
  return [{ agent: undefined, entries: main }, ...[...agents].map(([agent, own]) => ({ agent, entries: own }))];
}

function rootOf(entry: Entry, byUuid: ReadonlyMap<string, Entry>): Entry {
  const seen = new Set<Entry>();
  let at = entry;
  for (;;) {
    const parent = at.parent === undefined ? undefined : byUuid.get(at.parent);
    if (!parent || seen.has(parent)) return at;
    seen.add(parent);
    at = parent;
  }
}

function nameOfRoot(root: Entry, names: Map<Entry, string>): string {
  const known = names.get(root);
  if (known !== undefined) return known;
  const name = String(names.size + 1);
  names.set(root, name);
  return name;
}
