import type { Block } from '../../session/index.ts';
import { joinParts, readContent } from './content.ts';
import { firstText, type JsonRecord, listOf, recordOf, textOf } from './records.ts';
import { readResult } from './results.ts';
import { commandLine, describeCall, describeCommand, describeWebSearch, type ToolUse } from './tools.ts';
import { type UserItem, userItem } from './turns.ts';

/** One item of the context. */
export interface Item {
  /** Who put it there: the model (then it is output), a tool, a user message, or the harness. */
  readonly from: 'model' | 'tool' | 'user' | 'harness';
  readonly block: Block;
  /** Set on a user message. */
  readonly user?: UserItem;
  /** The words are encrypted: only the request's usage tells how many tokens they are. */
  readonly hidden?: true;
}

/** Items that the harness keeps for itself. */
const ignored = new Set(['ghost_snapshot', 'other']);

const readers = new Map<string, (item: JsonRecord) => Item>([
  ['message', readMessage],
  ['reasoning', readReasoning],
  ['function_call', (it) => readCall(it, textOf(it.arguments) ?? '')],
  ['custom_tool_call', (it) => readCall(it, textOf(it.input) ?? '')],
  ['local_shell_call', readShellCall],
  ['web_search_call', (it) => call(it, 'web_search', describeWebSearch(it.action), jsonOf(it.action))],
  ['tool_search_call', (it) => readCall({ ...it, name: 'tool_search' }, jsonOf(it.arguments))],
  ['image_generation_call', readImageCall],
  ['function_call_output', (it) => readOutput(it, it.output)],
  ['custom_tool_call_output', (it) => readOutput(it, it.output)],
  ['local_shell_call_output', (it) => readOutput(it, it.output)],
  ['mcp_tool_call_output', (it) => readOutput(it, it.output ?? it.result)],
  ['tool_search_output', (it) => readOutput(it, jsonOf(it.tools))],
  ['compaction', readSummary],
  ['compaction_summary', readSummary],
  ['context_compaction', readSummary],
  ['agent_message', (it) => ({ from: 'harness', block: { kind: 'meta', ...words(it.content) } })],
]);

/** One `response_item`; undefined if it is not part of the context, `'unknown'` for a kind that this reader has not met. */
export function readItem(item: JsonRecord): Item | 'unknown' | undefined {
  const type = textOf(item.type) ?? '';
  if (ignored.has(type)) return undefined;
  return readers.get(type)?.(item) ?? 'unknown';
}

function readMessage(item: JsonRecord): Item {
  if (item.role === 'assistant') return { from: 'model', block: { kind: 'reply', ...words(item.content) } };
  const block: Block = { kind: 'meta', ...words(item.content) };
  if (item.role !== 'user') return { from: 'harness', block };
  return { from: 'user', block, user: userItem(readContent(item.content).parts) };
}

/** The summary is for the screen and is not sent; the reasoning itself is, mostly encrypted. */
function readReasoning(item: JsonRecord): Item {
  const text = joinParts(readContent(item.content).parts);
  return { from: 'model', block: { kind: 'thinking', text }, ...(text === '' && { hidden: true as const }) };
}

function readCall(item: JsonRecord, input: string): Item {
  const name = textOf(item.name) ?? 'unknown';
  const space = textOf(item.namespace);
  return call(item, space === undefined ? name : `${space}.${name}`, describeCall(name, input), input);
}

function readShellCall(item: JsonRecord): Item {
  const command = commandLine(recordOf(item.action).command);
  return call(
    item,
    'local_shell',
    command === undefined ? { action: 'exec' } : describeCommand(command),
    jsonOf(item.action),
  );
}

/** The picture stays in the context with its call. */
function readImageCall(item: JsonRecord): Item {
  const made = call(item, 'image_generation', { action: 'other' }, firstText(item.revised_prompt) ?? '');
  return textOf(item.result) === undefined ? made : { ...made, block: { ...made.block, images: 1 } };
}

function call(item: JsonRecord, tool: string, use: ToolUse, text: string): Item {
  const callId = firstText(item.call_id);
  return { from: 'model', block: { kind: 'call', ...(callId !== undefined && { callId }), tool, ...use, text } };
}

function readOutput(item: JsonRecord, output: unknown): Item {
  const callId = firstText(item.call_id);
  return { from: 'tool', block: { kind: 'result', ...(callId !== undefined && { callId }), ...readResult(output) } };
}

function readSummary(item: JsonRecord): Item {
  return { from: 'harness', block: { kind: 'summary', ...words(listOf(item.content)) } };
}

function words(content: unknown): { text: string; images?: number } {
  const { parts, images } = readContent(content);
  return { text: joinParts(parts), ...(images > 0 && { images }) };
}

function jsonOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
