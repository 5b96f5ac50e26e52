import type { JsonLine, Source } from '../../bytes/index.ts';
import { type Entry, isTalk, type Note, readEntry } from './entries.ts';
import { type AgentResult, type Progress, readAgentResult, readProgress } from './progress.ts';
import { asObject, compactJson, field, objectField, textField } from './records.ts';

/** The lines of one session, from wherever they stand in the input, and what they say of it. */
export interface SessionLines {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** What the session shows of its sub-agents. */
  readonly progress: readonly Progress[];
  /** Sub-agents that gave a result, by name. */
  readonly agents: ReadonlyMap<string, AgentResult>;
  readonly version: string | undefined;
  readonly project: string | undefined;
}

/** The lines that carry one session id. */
interface Group {
  id: string;
  entries: Entry[];
  progress: Progress[];
  readonly agents: Map<string, AgentResult>;
  readonly uuids: Set<string>;
  version: string | undefined;
  project: string | undefined;
}

/**
 * The sessions of an input, which may hold several: each line names its own. Copies of a line are dropped, so that an input
 * may also hold a session several times over, as where the same file was kept at several moments.
 */
export function readSessions(source: Source, note: Note): SessionLines[] {
  const collector = new Collector(note);
  const names = new Set<string>();
  for (const row of source.records()) {
    const name = baseName(source.placeOf?.(row.line).path ?? source.path);
    names.add(name);
    collector.add(row, name);
  }
  const groups = collector.groups;
  const [name = ''] = names;
  // A file is named after the session that owns it; lines copied from another session keep that one's id.
  const owner = names.size === 1 && groups.has(name) ? name : undefined;
  return joinContinued([...groups.values()], owner);
}

function baseName(path: string): string {
  return (path.split(/[\\/]/).pop() ?? '').replace(/\.jsonl?(\.gz)?$/, '');
}

/** Puts each line to its session, once. */
class Collector {
  readonly groups = new Map<string, Group>();
  readonly #note: Note;
  readonly #known = new Map<string, Known>();
  /** The session of the line before: some lines name none. */
  #last: string | undefined;

  constructor(note: Note) {
    this.#note = note;
  }

  add(row: JsonLine, fileName: string): void {
    const read = readEntry(row, this.#note);
    if (!read) return;
    const record = asObject(row.value);
    this.#last = textField(record, 'sessionId') ?? this.#last;
    const group = this.#group(this.#last ?? fileName);
    // Of a sub-agent's own file.
    const agent = read.sidechain ? /^agent-(.+)$/.exec(fileName)?.[1] : undefined;
    const named = agent === undefined || read.agentId !== undefined ? read : { ...read, agentId: agent };
    const entry = this.#once(group, named);
    if (!entry) return;
    group.entries.push(entry);
    if (entry.uuid !== undefined) group.uuids.add(entry.uuid);
    const progress = readProgress(row, this.#note);
    if (progress) group.progress.push(progress);
    const result = readAgentResult(row);
    if (result) group.agents.set(result.agent, result);
    group.version ??= textField(record, 'version');
    group.project ??= textField(record, 'cwd');
  }

  #group(id: string): Group {
    const known = this.groups.get(id);
    if (known) return known;
    const group: Group = {
      id,
      entries: [],
      progress: [],
      agents: new Map(),
      uuids: new Set(),
      version: undefined,
      project: undefined,
    };
    this.groups.set(id, group);
    return group;
  }

  /** The line, unless it was there: branching and repeated compaction write lines again. */
  #once(group: Group, entry: Entry): Entry | undefined {
    const key = entry.uuid === undefined ? contentKey(entry) : `${group.id} ${entry.uuid}`;
    if (key === undefined) return entry;
    const known = this.#known.get(key);
    if (!known) {
      this.#known.set(key, { entry, copies: 0 });
      return entry;
    }
    if (isSameLine(known.entry, entry)) {
      this.#note('repeated-line', entry.line);
      return undefined;
    }
    // One id for two lines: a later state of a response goes on as a line beside the first, another line has no id.
    known.copies += 1;
    const isState = entry.kind === 'assistant' && textField(entry.body, 'id') === textField(known.entry.body, 'id');
    if (!isState) this.#note('repeated-id', entry.line);
    return { ...entry, uuid: isState ? `${entry.uuid}#${known.copies + 1}` : undefined };
  }
}

interface Known {
  readonly entry: Entry;
  copies: number;
}

/** What tells a line without an id from others; undefined where nothing does. */
function contentKey({ kind, time, body }: Entry): string | undefined {
  return time === undefined || body === undefined ? undefined : `${kind} ${time} ${compactJson(body)}`;
}

/** False for two lines of one id that were billed differently, or are of different sides. */
function isSameLine(a: Entry, b: Entry): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind !== 'assistant') return true;
  return usageKey(a) === usageKey(b) && textField(a.body, 'id') === textField(b.body, 'id');
}

function usageKey({ body }: Entry): string {
  const usage = objectField(body, 'usage');
  const counts = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return counts.map((name) => field(usage, name)).join(' ');
}

/**
 * A resumed session hangs on the lines of the one before. Where that one ends there, the two are one session; where it went
 * on, the lines up to the fork are the beginning of both.
 */
function joinContinued(groups: readonly Group[], owner: string | undefined): SessionLines[] {
  const kept = new Set(groups);
  for (const group of groups) {
    const fork = forkOf(group, kept);
    if (!fork) continue;
    const { from, at } = fork;
    const isOwned = owner === from.id || owner === group.id;
    const goesOn = from.entries.slice(at + 1).some((entry) => isTalk(entry) && !entry.sidechain);
    if (goesOn && !isOwned) {
      group.entries = [...from.entries.slice(0, at + 1).filter(({ sidechain }) => !sidechain), ...group.entries];
      continue;
    }
    group.entries = [...from.entries, ...group.entries];
    group.progress = [...from.progress, ...group.progress];
    for (const uuid of from.uuids) group.uuids.add(uuid);
    for (const [agent, result] of from.agents) group.agents.set(agent, result);
    group.version = from.version ?? group.version;
    group.project = from.project ?? group.project;
    if (owner === from.id) group.id = owner;
    kept.delete(from);
  }
  return [...kept];
}

/** The line of another session that the first line of this one hangs on. */
function forkOf(group: Group, others: ReadonlySet<Group>): { from: Group; at: number } | undefined {
  const root = group.entries.find(
    ({ parent, sidechain }) => !sidechain && parent !== undefined && !group.uuids.has(parent),
  );
  if (!root) return undefined;
  for (const from of others) {
    if (from === group || !from.uuids.has(root.parent as string)) continue;
    return { from, at: from.entries.findIndex(({ uuid }) => uuid === root.parent) };
  }
  return undefined;
}
