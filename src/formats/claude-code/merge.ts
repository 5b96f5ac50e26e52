import type { TokenCount } from '../../session/index.ts';
import { usageWithin } from '../unread-usage.ts';
import { type Entry, isSynthetic } from './entries.ts';
import { belongsTo, type Parting } from './identity.ts';
import { field, type JsonObject, objectField, objectsOf, textField } from './records.ts';
import { mergeUsage, type Odd, parseUsage, type RawUsage } from './usage.ts';

/** A content block of a response, with the line that brought it. */
export interface Piece {
  readonly uuid: string | undefined;
  readonly line: number;
  readonly block: JsonObject;
}

/** A line of a response, with its own copy of the usage. */
export interface ResponseLine {
  readonly entry: Entry;
  readonly usage: RawUsage | undefined;
}

/** One answer of the provider: the harness writes it as several lines, each with one block and a copy of the usage. */
export interface Response {
  readonly id: string | undefined;
  readonly first: Entry;
  readonly lines: ResponseLine[];
  requestId: string | undefined;
  model: string | undefined;
  effort: string | undefined;
  usage: RawUsage | undefined;
  /** What a usage said that no request can have: nothing of it is billed. */
  absurd: TokenCount | undefined;
  pieces: Piece[];
}

/** True for a line that looks like an answer and is none. */
export function isNotice(entry: Entry): boolean {
  return entry.isApiError || isSynthetic(entry.body);
}

/** Groups the assistant lines of a lane into responses. */
export function mergeResponses(entries: readonly Entry[], oddAt: (line: number) => Odd): Map<Entry, Response> {
  const responses = new Map<Entry, Response>();
  const known = new Map<string, Response[]>();
  const inputs = new Inputs();
  for (const entry of entries) {
    inputs.pass(entry);
    if (entry.kind !== 'assistant' || isNotice(entry)) continue;
    const name = nameOf(entry);
    const all = known.get(name) ?? [];
    const { sound, absurd } = readUsage(entry, oddAt(entry.line));
    const line = { entry, usage: sound };
    const same = all.findLast((it, at) =>
      belongsTo(it, line, { isLast: at === all.length - 1, parting: inputs.since(it) }),
    );
    const response = same ?? start(entry);
    if (!same) {
      all.push(response);
      known.set(name, all);
    }
    inputs.touch(response);
    responses.set(entry, response);
    addLine(response, line, absurd);
  }
  return responses;
}

/** What was put in since a response was last written to; what a person says parts more than what a tool answers. */
class Inputs {
  #now = 0;
  #prompt = -1;
  #result = -1;
  #touched = new Map<Response, number>();

  pass(entry: Entry): void {
    this.#now += 1;
    if (entry.kind !== 'user' || entry.isMeta) return;
    if (blocksOf(entry.body).some((block) => textField(block, 'type') === 'tool_result')) this.#result = this.#now;
    else this.#prompt = this.#now;
  }

  touch(response: Response): void {
    this.#touched.set(response, this.#now);
  }

  since(response: Response): Parting {
    const touched = this.#touched.get(response) ?? 0;
    return touched < this.#prompt ? 'prompt' : touched < this.#result ? 'result' : 'nothing';
  }
}

function nameOf({ body, requestId, uuid }: Entry): string {
  return textField(body, 'id') ?? requestId ?? uuid ?? '';
}

function start(entry: Entry): Response {
  return {
    id: textField(entry.body, 'id'),
    first: entry,
    lines: [],
    requestId: entry.requestId,
    model: undefined,
    effort: undefined,
    usage: undefined,
    absurd: undefined,
    pieces: [],
  };
}

function addLine(response: Response, line: ResponseLine, absurd: TokenCount | undefined): void {
  const { entry, usage } = line;
  response.lines.push(line);
  response.requestId ??= entry.requestId;
  response.model ??= textField(entry.body, 'model');
  response.effort ??= entry.effort;
  if (usage) response.usage = mergeUsage(response.usage, usage);
  response.absurd ??= absurd;
  for (const block of blocksOf(entry.body)) addPiece(response.pieces, { uuid: entry.uuid, line: entry.line, block });
}

/** A copy with a count that cannot be says nothing of what was billed: without it, not with a zero in its place. */
function readUsage(entry: Entry, odd: Odd): { sound?: RawUsage; absurd?: TokenCount | undefined } {
  const usage = objectField(entry.body, 'usage');
  if (!usage) return {};
  let isSound = true;
  const raw = parseUsage(usage, (kind, detail) => {
    if (kind === 'bad-count') isSound = false;
    odd(kind, detail);
  });
  return isSound ? { sound: raw } : { absurd: usageWithin(usage) };
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

/** What a response counts, for a finding that says that it is not billed. */
export function tokensOf({ usage, absurd }: Response): TokenCount | undefined {
  return usage ? { input: usage.input + usage.read + usage.write, output: usage.output } : absurd;
}
