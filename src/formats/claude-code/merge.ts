import type { Entry } from './entries.ts';
import { field, type JsonObject, objectField, objectsOf, textField } from './records.ts';
import { mergeUsage, type Odd, parseUsage, type RawUsage } from './usage.ts';

/** A content block of a response, with the line that brought it. */
export interface Piece {
  readonly uuid: string | undefined;
  readonly line: number;
  readonly block: JsonObject;
}

/** One answer of the provider: the harness writes it as several lines, each with one block and a copy of the usage. */
export interface Response {
  /** What identifies the billed request in any file. */
  readonly key: string;
  readonly id: string | undefined;
  readonly first: Entry;
  readonly lines: Entry[];
  requestId: string | undefined;
  model: string | undefined;
  effort: string | undefined;
  usage: RawUsage | undefined;
  pieces: Piece[];
}

/** The model name of notices that the harness writes in the model's place. */
export const syntheticModel = '<synthetic>';

/** True for a line that looks like an answer and is none. */
export function isNotice(entry: Entry): boolean {
  return entry.isApiError || textField(entry.body, 'model') === syntheticModel;
}

/** Groups the assistant lines of a lane into responses. */
export function mergeResponses(
  entries: readonly Entry[],
  file: string,
  oddAt: (line: number) => Odd,
): Map<Entry, Response> {
  const responses = new Map<Entry, Response>();
  const known = new Map<string, Response[]>();
  for (const entry of entries) {
    if (entry.kind !== 'assistant' || isNotice(entry)) continue;
    const id = textField(entry.body, 'id');
    const name = id ?? entry.requestId ?? entry.uuid ?? '';
    const same = known.get(name)?.find((response) => sameRequest(response, entry));
    const response = same ?? start(entry, id, file);
    if (!same) known.set(name, [...(known.get(name) ?? []), response]);
    responses.set(entry, response);
    addLine(response, entry, oddAt(entry.line));
  }
  return responses;
}

/** Lines of one response may lack the request id; two different ones mean a replay. */
function sameRequest(response: Response, entry: Entry): boolean {
  return response.requestId === undefined || entry.requestId === undefined || response.requestId === entry.requestId;
}

function start(entry: Entry, id: string | undefined, file: string): Response {
  const key = id ?? entry.requestId ?? entry.uuid ?? `${file}:${entry.line}`;
  return {
    key,
    id,
    first: entry,
    lines: [],
    requestId: entry.requestId,
    model: undefined,
    effort: undefined,
    usage: undefined,
    pieces: [],
  };
}

function addLine(response: Response, entry: Entry, odd: Odd): void {
  response.lines.push(entry);
  response.requestId ??= entry.requestId;
  response.model ??= textField(entry.body, 'model');
  response.effort ??= entry.effort;
  const usage = objectField(entry.body, 'usage');
  if (usage) addUsageOf(response, usage, odd);
  for (const block of blocksOf(entry.body)) addPiece(response.pieces, { uuid: entry.uuid, line: entry.line, block });
}

/** A copy with a count that cannot be says nothing of what was billed: without it, not with a zero in its place. */
function addUsageOf(response: Response, usage: JsonObject, odd: Odd): void {
  let isSound = true;
  const raw = parseUsage(usage, (kind, detail) => {
    if (kind === 'bad-count') isSound = false;
    odd(kind, detail);
  });
  if (isSound) response.usage = mergeUsage(response.usage, raw);
}

/** Content blocks of a message; a plain text is one text block. */
export function blocksOf(message: JsonObject | undefined): JsonObject[] {
  const content = field(message, 'content');
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
}

/** Lines may repeat what earlier lines of the response brought, or bring a longer state of it. */
function addPiece(pieces: Piece[], piece: Piece): void {
  const at = pieces.findIndex((earlier) => isEarlierState(earlier.block, piece.block));
  const earlier = pieces[at];
  if (!earlier) pieces.push(piece);
  else if (textOf(earlier.block).length < textOf(piece.block).length) pieces[at] = { ...earlier, block: piece.block };
}

function isEarlierState(earlier: JsonObject, later: JsonObject): boolean {
  const type = field(later, 'type');
  if (field(earlier, 'type') !== type) return false;
  const id = textField(later, 'id') ?? textField(later, 'tool_use_id');
  if (id !== undefined) return id === (textField(earlier, 'id') ?? textField(earlier, 'tool_use_id'));
  if (type !== 'text' && type !== 'thinking') return false;
  const [a, b] = [textOf(earlier), textOf(later)];
  return a === '' ? b === '' : b.startsWith(a) || a.startsWith(b);
}

function textOf(block: JsonObject): string {
  return textField(block, 'text') ?? textField(block, 'thinking') ?? '';
}
