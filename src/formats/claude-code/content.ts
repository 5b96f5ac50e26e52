import type { Block } from '../../session/index.ts';
import { attachmentText, isQueuedPrompt } from './attachments.ts';
import type { Entry, Note } from './entries.ts';
import { blocksOf, type Response } from './merge.ts';
import { compactJson, field, isTrue, type JsonObject, objectField, objectsOf, textField } from './records.ts';
import { describeCall } from './tools.ts';
import { splitUserText } from './turns.ts';

/** A block together with the line it came from: reset markers name lines that stay. */
export interface Sourced {
  readonly block: Block;
  readonly uuid: string | undefined;
}

/** What a user line or an attachment adds to the context. */
export function inputBlocks(entry: Entry, note: Note): Block[] {
  if (!entry.body) return [];
  if (entry.kind === 'attachment') return attachmentBlocks(entry, entry.body, note);
  return blocksOf(entry.body).flatMap((block) => userBlocks(entry, block, note));
}

/**
 * True for a line with which a person begins a turn. Words that ride along with tool results were typed while the model
 * worked: they steer the running turn.
 */
export function opensTurn(entry: Entry): boolean {
  if (entry.kind !== 'user' || entry.isMeta || entry.isSummary) return false;
  const blocks = blocksOf(entry.body).flatMap((block) => userBlocks(entry, block, silent));
  return blocks.some(({ kind }) => kind === 'prompt') && !blocks.some(({ kind }) => kind === 'result');
}

/** True for words that were typed while the model worked, where they have a line of their own. */
export function isQueued({ kind, body }: Entry): boolean {
  return kind === 'attachment' && body !== undefined && isQueuedPrompt(body);
}

const silent: Note = () => {};

function userBlocks(entry: Entry, block: JsonObject, note: Note): Block[] {
  const type = textField(block, 'type') ?? 'none';
  switch (type) {
    case 'text':
      return textBlocks(entry, textField(block, 'text') ?? '');
    case 'tool_result':
      return [resultBlock(block, note, entry.line)];
    case 'image':
    case 'document':
      return [{ kind: entry.isMeta ? 'meta' : 'prompt', ...mediaOf(block) }];
    default:
      note('unknown-block-type', entry.line, type.slice(0, 64));
      return [];
  }
}

function textBlocks(entry: Entry, text: string): Block[] {
  if (text === '') return [];
  if (entry.isSummary) return [{ kind: 'summary', text }];
  return entry.isMeta ? [{ kind: 'meta', text }] : splitUserText(text);
}

/** An image, or a document: one with words is its words. */
function mediaOf(block: JsonObject): { text: string; images?: number } {
  const source = objectField(block, 'source');
  if (textField(source, 'type') === 'text') return { text: textField(source, 'data') ?? '' };
  return { text: '', images: 1 };
}

function attachmentBlocks(entry: Entry, attachment: JsonObject, note: Note): Block[] {
  if (isQueuedPrompt(attachment)) {
    return blocksOf({ content: field(attachment, 'prompt') }).flatMap((block) => userBlocks(entry, block, note));
  }
  if (textField(attachment, 'type') === 'queued_command') {
    const words = blocksOf({ content: field(attachment, 'prompt') }).map((block) => textField(block, 'text') ?? '');
    return [{ kind: 'meta', text: words.join('\n') }];
  }
  const { text, known } = attachmentText(attachment);
  if (!known) note('unknown-attachment-type', entry.line, textField(attachment, 'type')?.slice(0, 64) ?? 'none');
  return text === '' ? [] : [{ kind: 'meta', text }];
}

function resultBlock(block: JsonObject, note: Note, line: number): Block {
  const content = field(block, 'content');
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  const media = parts.filter((part) => ['image', 'document'].includes(textField(part, 'type') ?? '')).map(mediaOf);
  const images = media.reduce((sum, part) => sum + (part.images ?? 0), 0);
  const words = parts.flatMap((part) => textField(part, 'text') ?? textField(part, 'tool_name') ?? []);
  const whole = [...words, ...media.map(({ text }) => text).filter((text) => text !== '')].join('\n');
  const text = cutPersisted(whole);
  if (text.length < whole.length) note('persisted-output-cut', line);
  const callId = textField(block, 'tool_use_id');
  const isError = isTrue(block, 'is_error');
  const status = isError ? exitCode(text) : undefined;
  return {
    kind: 'result',
    text,
    ...(callId === undefined ? {} : { callId }),
    ...(isError ? { isError } : {}),
    ...(images > 0 ? { images } : {}),
    ...(status === undefined ? {} : { exitCode: status }),
  };
}

/** A failed command's result begins with its status. */
function exitCode(text: string): number | undefined {
  const match = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(text);
  return match ? Number(match[1]) : undefined;
}

const persistedTag = '<persisted-output>';
const persistedEnd = '</persisted-output>';
/** A note that follows the preview is kept; the spilled output itself is larger. */
const longestNote = 2048;
const previewChars = 2560;

/** Of a result that was spilled to a file, the model saw the preview only, whatever the line holds. */
function cutPersisted(text: string): string {
  if (!text.startsWith(persistedTag)) return text;
  const close = text.indexOf(persistedEnd);
  if (close === -1) return text.slice(0, previewChars);
  const end = close + persistedEnd.length;
  return text.length - end > longestNote ? text.slice(0, end) : text;
}

/** The words of a notice that the harness wrote in the model's name; it is sent along as if the model had said it. */
export function noticeBlocks(entry: Entry): Block[] {
  if (entry.isApiError) return [];
  const text = blocksOf(entry.body)
    .map((block) => textField(block, 'text') ?? '')
    .join('\n');
  return text === '' ? [] : [{ kind: 'meta', text }];
}

/** Tokens of thinking that no block shows; they lie inside the output, and cannot be more. */
function hiddenThinking({ pieces, usage, first }: Response, note: Note): number {
  if (!usage || pieces.some(({ block }) => textField(block, 'thinking'))) return 0;
  if (usage.thinking > usage.output) note('clamped-usage', first.line, 'thinking_tokens');
  return Math.min(usage.thinking, usage.output);
}

/** What a response adds to the context: its output, then what server-side tools returned within it. */
export function responseBlocks(response: Response, note: Note): Sourced[] {
  const made: Sourced[] = [];
  const returned: Sourced[] = [];
  let hidden = hiddenThinking(response, note);
  for (const { block, uuid, line } of response.pieces) {
    const type = textField(block, 'type') ?? 'none';
    if (type.endsWith('_tool_result')) {
      returned.push({ uuid, block: serverResult(block) });
      continue;
    }
    const output = outputBlock(block, type, hidden);
    if (output === undefined) note('unknown-block-type', line, type.slice(0, 64));
    else if (output.kind !== 'reply' || output.text) made.push({ uuid, block: output });
    // The count is that of the whole response: it goes to the first block whose words are not shown.
    if (output?.hiddenTokens) hidden = 0;
  }
  return [...made, ...returned];
}

function outputBlock(block: JsonObject, type: string, hidden: number): Block | undefined {
  switch (type) {
    case 'text':
      return { kind: 'reply', text: textField(block, 'text') ?? '' };
    case 'thinking':
    case 'redacted_thinking': {
      const text = textField(block, 'thinking') ?? '';
      return { kind: 'thinking', text, ...(text === '' && hidden > 0 ? { hiddenTokens: hidden } : {}) };
    }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return callBlock(block);
    default:
      return undefined;
  }
}

function callBlock(block: JsonObject): Block {
  const tool = textField(block, 'name') ?? 'unknown';
  const callId = textField(block, 'id');
  const input = field(block, 'input');
  return {
    kind: 'call',
    ...(callId === undefined ? {} : { callId }),
    tool,
    ...describeCall(tool, objectField(block, 'input')),
    text: input === undefined ? '' : compactJson(input),
  };
}

function serverResult(block: JsonObject): Block {
  const callId = textField(block, 'tool_use_id');
  const content = field(block, 'content');
  const text = typeof content === 'string' ? content : content === undefined ? '' : compactJson(content);
  return { kind: 'result', text, ...(callId === undefined ? {} : { callId }) };
}
