import type { Source } from '../../bytes/index.ts';
import type { Session } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';
import { Assembly } from './assemble.ts';
import { opensTurn } from './content.ts';
import { type Entry, isIdleType, type Note, readEntry } from './entries.ts';
import { type Lane, splitLanes } from './lanes.ts';
import { parentsFirst } from './order.ts';
import { asObject, field, objectField, textField } from './records.ts';
import { toolNames } from './tools.ts';
import { activePath } from './tree.ts';

/** Transcripts that Claude Code keeps, one line per content block. */
export const claudeCode = {
  name: 'claude-code',
  title: 'Claude Code',
  supplies: { text: true, times: true, usage: 'read+write' },
  tools: toolNames,
  sniff: (head) => head.some(isOurs) && !head.some(isOthers),
  *read(source, context) {
    const file = readFile(source, context);
    const lanes = splitLanes(file.entries, file.agent);
    for (const lane of lanes) {
      const session = readLane(lane, file, context);
      if (session) yield session;
    }
  },
} as const satisfies Format;

function isOurs(value: unknown): boolean {
  const record = asObject(value);
  const type = textField(record, 'type');
  if (type === undefined) return false;
  if (textField(record, 'sessionId') !== undefined) {
    return isIdleType(type) || ['uuid', 'leafUuid', 'operation'].some((key) => textField(record, key) !== undefined);
  }
  return (type === 'summary' && textField(record, 'leafUuid') !== undefined) || type.startsWith('file-history-');
}

/** Harnesses that took over the envelope and fill it otherwise. */
function isOthers(value: unknown): boolean {
  const record = asObject(value);
  return Array.isArray(field(objectField(record, 'message'), 'parts')) || field(record, 'projectHash') !== undefined;
}

/** The lines of a file that matter, and what the file says of itself. */
interface File {
  readonly path: string;
  readonly entries: readonly Entry[];
  readonly sessionId: string;
  /** Of a sub-agent's own file. */
  readonly agent: string | undefined;
  readonly version: string | undefined;
  readonly project: string | undefined;
  readonly note: Note;
}

function readFile(source: Source, { findings }: ReadContext): File {
  const note: Note = (kind, line, detail, tokens) => findings.add(kind, source.path, line, detail, 1, tokens);
  const name = (source.path.split(/[\\/]/).pop() ?? '').replace(/\.jsonl?$/, '');
  const entries: Entry[] = [];
  const known = new Set<string>();
  const ids = new Set<string>();
  let version: string | undefined;
  let project: string | undefined;
  for (const row of source.records()) {
    const entry = readEntry(row, note);
    if (!entry) continue;
    // Branching and repeated compaction write lines again.
    if (entry.uuid !== undefined && known.has(entry.uuid)) {
      note('repeated-line', entry.line);
      continue;
    }
    if (entry.uuid !== undefined) known.add(entry.uuid);
    entries.push(entry);
    const record = asObject(row.value);
    const id = textField(record, 'sessionId');
    if (id !== undefined) ids.add(id);
    version ??= textField(record, 'version');
    project ??= textField(record, 'cwd');
  }
  // A file is named after the session that owns it; lines copied from another session keep that one's id.
  const sessionId = ids.has(name) ? name : ([...ids][0] ?? name);
  const agent = /^agent-(.+)$/.exec(name)?.[1];
  return { path: source.path, entries, sessionId, agent, version, project, note };
}

function readLane(lane: Lane, file: File, { seenRequests }: ReadContext): Session | undefined {
  if (!lane.entries.some(({ kind }) => kind === 'user' || kind === 'assistant')) return undefined;
  const ordered = parentsFirst(lane.entries);
  const path = activePath(ordered, opensTurn);
  const first = lane.entries[0];
  if (!path && first && lane.entries.some(({ parent }) => parent !== undefined)) file.note('broken-tree', first.line);
  const assembly = new Assembly(path ? ordered : lane.entries, path ?? new Set(lane.entries), {
    file: file.path,
    seenRequests,
    note: file.note,
    isSubAgent: lane.agent !== undefined,
  });
  assembly.run();
  const session = assembly.build({
    id: lane.agent === undefined ? file.sessionId : `${file.sessionId}/agent-${lane.agent}`,
    ...(lane.agent === undefined ? {} : { parent: file.sessionId }),
    agent: 'claude-code',
    ...(file.version === undefined ? {} : { agentVersion: file.version }),
    ...(file.project === undefined ? {} : { project: file.project }),
    ...(assembly.model === undefined ? {} : { model: assembly.model }),
    content: 'text',
  });
  const empty = session.requests.length + session.abandoned.length + session.turns.length === 0;
  return empty ? undefined : session;
}
