import { type JsonLine, parseTime } from '../../bytes/index.ts';
import type { TokenCount } from '../../session/index.ts';
import { usageWithin } from '../unread-usage.ts';
import { asObject, field, isTrue, type JsonObject, objectField, textField } from './records.ts';

/** What a line is to the reader. `link` lines only carry the chain of parents. */
export type EntryKind = 'user' | 'assistant' | 'attachment' | 'compaction' | 'clear' | 'microcompaction' | 'link';

/** A line that has a place in the tree, reduced to what the reader needs. */
export interface Entry {
  readonly kind: EntryKind;
  readonly line: number;
  readonly uuid: string | undefined;
  readonly parent: string | undefined;
  readonly time: number | undefined;
  readonly sidechain: boolean;
  readonly agentId: string | undefined;
  readonly requestId: string | undefined;
  /** Names what a person asked, on all lines that came of it (newer files). */
  readonly promptId: string | undefined;
  /** Of a system line. */
  readonly subtype: string | undefined;
  /** Of an answer, since version 2.1.212: how hard the model was told to think. */
  readonly effort: string | undefined;
  /** The message, the attachment, or the metadata of a boundary. */
  readonly body: JsonObject | undefined;
  readonly isMeta: boolean;
  readonly isSummary: boolean;
  readonly isApiError: boolean;
}

/** The lines of a lane by id, and where they stand. */
export interface Tree {
  readonly byUuid: ReadonlyMap<string, Entry>;
  readonly position: ReadonlyMap<Entry, number>;
}

/** Line types that carry no context and no cost. The list grows with every release; others are counted as unknown. */
const idleTypes = new Set(
  `summary queue-operation file-history-snapshot file-history-delta content-replacement custom-title ai-title agent-name agent-color
   agent-setting tag mode permission-mode pr-link relocated tools-used session-owner hybrid-organization atis-latch data-flow-records
   data-flow-incomplete history-suppression derived-from host-row last-prompt worktree-state marble-origami-commit
   marble-origami-snapshot attribution-snapshot speculation-accept task-summary session-kind`.split(/\s+/),
);

/** Counts something odd: its kind, the line, what exactly; of usage that is not billed, how much. */
export type Note = (kind: string, line: number, detail?: string, tokens?: TokenCount) => void;

/** True for a type that is known to carry nothing. */
export function isIdleType(type: string): boolean {
  return idleTypes.has(type);
}

/** The entry of one parsed line, or undefined for a line without a place in the tree. */
export function readEntry({ line, value }: JsonLine, note: Note): Entry | undefined {
  const record = asObject(value);
  const type = textField(record, 'type');
  if (!record || type === undefined) {
    note('unknown-line-type', line, record ? 'none' : 'not an object');
    return undefined;
  }
  const known = shapeOf(record, type);
  if (!known && !idleTypes.has(type)) note('unknown-line-type', line, type.slice(0, 64));
  noteUnread(record, type, line, note);
  // A line that carries nothing may still stand between two that matter.
  const shape =
    known ?? (textField(record, 'parentUuid') === undefined ? undefined : { kind: 'link' as const, body: undefined });
  if (!shape) return undefined;
  return {
    kind: shape.kind,
    body: shape.body,
    line,
    uuid: textField(record, 'uuid'),
    parent: textField(record, 'parentUuid'),
    time: readTime(record, line, note),
    sidechain: isTrue(record, 'isSidechain'),
    agentId: textField(record, 'agentId'),
    requestId: textField(record, 'requestId'),
    promptId: textField(record, 'promptId'),
    subtype: textField(record, 'subtype'),
    effort: textField(record, 'effort'),
    isMeta: isTrue(record, 'isMeta') || isFromHarness(record),
    isSummary: isTrue(record, 'isCompactSummary'),
    isApiError: isTrue(record, 'isApiErrorMessage'),
  };
}

function shapeOf(record: JsonObject, type: string): Pick<Entry, 'kind' | 'body'> | undefined {
  switch (type) {
    case 'user':
      return startsClear(record)
        ? { kind: 'clear', body: undefined }
        : { kind: isHidden(record) ? 'link' : type, body: objectField(record, 'message') };
    case 'assistant':
      return { kind: type, body: objectField(record, 'message') };
    case 'attachment':
      return { kind: isAfterClear(record) ? 'clear' : type, body: objectField(record, 'attachment') };
    case 'system':
      return systemShape(record);
    case 'progress':
      return { kind: isAfterClear(record) ? 'clear' : 'link', body: undefined };
    default:
      return undefined;
  }
}

function systemShape(record: JsonObject): Pick<Entry, 'kind' | 'body'> {
  switch (textField(record, 'subtype')) {
    case 'compact_boundary':
      return { kind: 'compaction', body: objectField(record, 'compactMetadata') };
    case 'microcompact_boundary':
      return { kind: 'microcompaction', body: undefined };
    default:
      return { kind: 'link', body: undefined };
  }
}

/** Shown to the user only. Summaries carry the flag too, and are what the model goes on with. */
function isHidden(record: JsonObject): boolean {
  return isTrue(record, 'isVisibleInTranscriptOnly') && !isTrue(record, 'isCompactSummary');
}

/** The first line after `/clear` in the same file: a root that a session-start hook wrote, or the command itself. */
function isAfterClear(record: JsonObject): boolean {
  if (textField(record, 'parentUuid') !== undefined) return false;
  const source = objectField(record, 'data') ?? objectField(record, 'attachment');
  return textField(source, 'hookName') === 'SessionStart:clear';
}

function startsClear(record: JsonObject): boolean {
  if (textField(record, 'parentUuid') !== undefined) return false;
  return textField(objectField(record, 'message'), 'content')?.startsWith('<command-name>/clear<') ?? false;
}

/** Newer lines say who wrote them; what is not human is no prompt, whatever it looks like. */
function isFromHarness(record: JsonObject): boolean {
  const origin = textField(objectField(record, 'origin'), 'kind');
  return origin !== undefined && origin !== 'human';
}

/** The message of a sub-agent that a progress line repeats. */
export function progressMessage(record: JsonObject): JsonObject | undefined {
  const inner = objectField(objectField(record, 'data'), 'message');
  const type = textField(inner, 'type') ?? textField(objectField(inner, 'message'), 'role');
  return type === 'assistant' || type === 'user' ? { ...inner, type } : undefined;
}

/** Says how much usage a line holds that no request is made of. */
function noteUnread(record: JsonObject, type: string, line: number, note: Note): void {
  const tokens = usageWithin(unreadPart(record, type));
  const kind = type === 'system' ? `system/${textField(record, 'subtype') ?? 'none'}` : type;
  if (tokens && tokens.input + tokens.output > 0) note('unread-usage', line, kind.slice(0, 64), tokens);
}

/** Where a usage would be passed over: not in an answer, nor in the results and words of others. */
function unreadPart(record: JsonObject, type: string): unknown {
  const message = objectField(record, 'message');
  if (type === 'user') return [field(record, 'usage'), field(message, 'usage')];
  if (type === 'assistant')
    return isTrue(record, 'isApiErrorMessage') || isSynthetic(message)
      ? field(message, 'usage')
      : field(record, 'usage');
  return type === 'progress' && progressMessage(record) ? undefined : record;
}

/** True for a message that the harness wrote in the model's place. */
export function isSynthetic(message: JsonObject | undefined): boolean {
  return textField(message, 'model') === '<synthetic>';
}

function readTime(record: JsonObject, line: number, note: Note): number | undefined {
  const value = field(record, 'timestamp');
  if (value === undefined || value === null) return undefined;
  const time = parseTime(value);
  if (time === undefined) note('bad-time', line);
  return time;
}

/** A message of either side. */
export function isTalk(entry: Entry): boolean {
  return entry.kind === 'user' || entry.kind === 'assistant';
}

/** A line at which the context starts anew. */
export function isReset(entry: Entry): boolean {
  return entry.kind === 'compaction' || entry.kind === 'clear';
}
