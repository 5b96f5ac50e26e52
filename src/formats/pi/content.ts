import type { Block } from '../../session/index.ts';
import type { Entry, Note } from './entries.ts';
import { compactJson, type JsonRecord, recordOf, recordsOf, textOf } from './records.ts';
import { describeCall, exitCodeOf } from './tools.ts';

/** What a line puts into the context, unless it is an answer. */
export function inputBlock(entry: Entry, note: Note): Block | undefined {
  const { kind, body, line } = entry;
  const words = () => wordsOf(body.content, line, note);
  switch (kind) {
    case 'prompt':
      return { kind: 'prompt', ...words() };
    case 'result':
      return resultBlock(body, words());
    case 'note':
      return textOf(body.command ?? body.code) === undefined
        ? { kind: 'meta', ...words() }
        : { kind: 'meta', text: executionText(body) };
    case 'summary':
    case 'compaction':
      return { kind: 'summary', text: textOf(body.summary) ?? words().text };
    case 'system':
      return textOf(body.systemPrompt) === undefined
        ? undefined
        : { kind: 'system', text: textOf(body.systemPrompt) ?? '' };
    default:
      return undefined;
  }
}

/** A command that the user ran beside the model: the model reads it and its output as one message. */
function executionText({ command, code, output }: JsonRecord): string {
  return [textOf(command) ?? textOf(code), textOf(output)].filter((part) => part !== undefined).join('\n');
}

function resultBlock(body: JsonRecord, words: Words): Block {
  const callId = textOf(body.toolCallId);
  const tool = textOf(body.toolName);
  const exitCode = exitCodeOf(tool, words.text);
  return {
    kind: 'result',
    ...(callId !== undefined && { callId }),
    ...(tool !== undefined && { tool }),
    ...words,
    ...(exitCode !== undefined && { exitCode }),
    ...(body.isError === true && { isError: true as const }),
  };
}

interface Words {
  readonly text: string;
  readonly images?: number;
}

/** A text, or a list of texts and images: the texts, each on lines of its own, and how many images there are. */
function wordsOf(content: unknown, line: number, note: Note): Words {
  if (typeof content === 'string') return { text: content };
  const texts: string[] = [];
  let images = 0;
  for (const { type, text } of recordsOf(content)) {
    if (type === 'image') images += 1;
    else if (type !== 'text') note('unknown-block-type', line, textOf(type)?.slice(0, 64) ?? 'none');
    else if (textOf(text) !== undefined) texts.push(text as string);
  }
  return { text: texts.join('\n'), ...(images > 0 && { images }) };
}

/** What the model answered. The reasoning tokens go to the first thinking that is not shown. */
export function answerBlocks({ body, line }: Entry, reasoning: number, note: Note): Block[] {
  let hidden = reasoning;
  const content = typeof body.content === 'string' ? [{ type: 'text', text: body.content }] : recordsOf(body.content);
  return content.flatMap((part): Block[] => {
    const block = outputBlock(part, hidden);
    if (block === undefined) note('unknown-block-type', line, textOf(part.type)?.slice(0, 64) ?? 'none');
    if (block?.hiddenTokens) hidden = 0;
    return block === undefined || (block.kind === 'reply' && block.text === '') ? [] : [block];
  });
}

function outputBlock(part: JsonRecord, hidden: number): Block | undefined {
  switch (part.type) {
    case 'text':
      return { kind: 'reply', text: textOf(part.text) ?? '' };
    case 'thinking': {
      // What stands there in place of redacted thinking is for the screen.
      const text = part.redacted === true ? '' : (textOf(part.thinking) ?? '');
      return { kind: 'thinking', text, ...(text === '' && hidden > 0 && { hiddenTokens: hidden }) };
    }
    case 'toolCall':
      return callBlock(part);
    default:
      return undefined;
  }
}

function callBlock(part: JsonRecord): Block {
  const tool = textOf(part.name) ?? 'unknown';
  const callId = textOf(part.id);
  return {
    kind: 'call',
    ...(callId !== undefined && { callId }),
    tool,
    ...describeCall(tool, recordOf(part.arguments)),
    text: compactJson(part.arguments),
  };
}
