import { type JsonLine, parseTime } from '../../bytes/index.ts';
import type { TokenCount } from '../../session/index.ts';
import { usageWithin } from '../unread-usage.ts';
import { type JsonRecord, recordOf, textOf } from './records.ts';

/** What a line is to the reader. A `link` has a place in the tree and nothing else. */
export type EntryKind = 'prompt' | 'answer' | 'result' | 'note' | 'summary' | 'compaction' | 'system' | 'link';

/** One line below the header. */
export interface Entry {
  readonly kind: EntryKind;
  readonly line: number;
  /** Position among the objects of its session; the header has 0. The oldest files name lines by it. */
  readonly place: number;
  readonly id: string | undefined;
  /** The id of the line above; null for a root, undefined in files from before the tree. */
  readonly parent: string | null | undefined;
  /** When the line was written, milliseconds since the epoch. */
  readonly time: number | undefined;
  /** The message, or the line itself where it is none. */
  readonly body: JsonRecord;
}

/** Counts something odd: its kind, the line, what exactly, and the tokens that are not billed for it. */
export type Note = (kind: string, line: number, detail?: string, tokens?: TokenCount) => void;

/** Line types that hold nothing of the context; of those that a fork of pi adds, only what was seen. */
const idleTypes = new Set([
  'thinking_level_change',
  'model_change',
  'label',
  'session_info',
  'custom',
  'title',
  'credential_pin',
]);

const kindOfType: ReadonlyMap<string, EntryKind> = new Map([
  ['custom_message', 'note'],
  ['branch_summary', 'summary'],
  ['compaction', 'compaction'],
  ['session_init', 'system'],
]);

const kindOfRole: ReadonlyMap<string, EntryKind> = new Map([
  ['user', 'prompt'],
  ['assistant', 'answer'],
  ['toolResult', 'result'],
  ['bashExecution', 'note'],
  ['pythonExecution', 'note'],
  ['custom', 'note'],
  ['hookMessage', 'note'],
  ['developer', 'note'],
  ['branchSummary', 'summary'],
  ['compactionSummary', 'summary'],
]);

/** Reads one line below the header. */
export function readEntry(record: JsonRecord, { line }: JsonLine, place: number, note: Note): Entry {
  const { id, parentId } = record;
  return {
    ...shapeOf(record, line, note),
    line,
    place,
    id: textOf(id),
    parent: parentId === null ? null : textOf(parentId),
    time: readTime(record.timestamp, line, note),
  };
}

function shapeOf(record: JsonRecord, line: number, note: Note): Pick<Entry, 'kind' | 'body'> {
  const type = textOf(record.type) ?? 'none';
  if (type === 'message') return messageShape(recordOf(record.message), line, note);
  const kind = kindOfType.get(type);
  if (kind) return { kind, body: record };
  if (!idleTypes.has(type)) note('unknown-line-type', line, type.slice(0, 64));
  return { kind: 'link', body: record };
}

function messageShape(message: JsonRecord, line: number, note: Note): Pick<Entry, 'kind' | 'body'> {
  const role = textOf(message.role) ?? 'none';
  const kind = kindOfRole.get(role);
  // A command that the user kept from the model.
  if (message.excludeFromContext === true) return { kind: 'link', body: message };
  if (kind) return { kind, body: message };
  note('unknown-role', line, role.slice(0, 64));
  return { kind: 'note', body: message };
}

function readTime(value: unknown, line: number, note: Note): number | undefined {
  if (value === undefined || value === null) return undefined;
  const time = parseTime(value);
  if (time === undefined) note('bad-time', line);
  return time;
}

/** Kinds whose usage is read, or looked for in its own place. */
const counted: ReadonlySet<EntryKind> = new Set(['answer', 'result', 'summary', 'compaction']);

/** Says so where a line of which none is known to hold a usage does: no bill has these tokens. */
export function noteUnread({ kind, line }: Entry, record: JsonRecord, note: Note): void {
  if (counted.has(kind)) return;
  const { role } = recordOf(record.message);
  const type = textOf(record.type) ?? 'none';
  noteUsage(record, line, type === 'message' ? `message/${textOf(role) ?? 'none'}` : type, note);
}

/** Counts a usage that stands somewhere in a value and is not billed. */
export function noteUsage(value: unknown, line: number, where: string, note: Note): void {
  const tokens = usageWithin(value);
  if (tokens && tokens.input + tokens.output > 0) note('unread-usage', line, where.slice(0, 64), tokens);
}
