import type { Source } from '../../../src/bytes/index.ts';
import { codex } from '../../../src/formats/codex/index.ts';
import { Findings } from '../../../src/session/findings.ts';
import { promptBlocks } from '../../../src/session/opening.ts';
import type { Session } from '../../../src/session/session.ts';

/** A rollout line before it has a time. */
export type Line = { readonly timestamp?: unknown; readonly type: string; readonly payload: object };

/** The numbers of one TokenUsage: input, cached, output, reasoning, cache writes. */
export type Tokens = readonly [input: number, cached: number, output: number, reasoning?: number, written?: number];

export const meta = (id: string, more: object = {}): Line => ({
  type: 'session_meta',
  payload: { id, timestamp: '2026-03-01T10:00:00Z', cwd: '/work', cli_version: '0.142.0', ...more },
});

export const context = (model?: string, turnId?: string): Line => ({
  type: 'turn_context',
  payload: { model, turn_id: turnId },
});

export const event = (type: string, more: object = {}): Line => ({ type: 'event_msg', payload: { type, ...more } });

export const item = (type: string, more: object = {}): Line => ({ type: 'response_item', payload: { type, ...more } });

export const message = (role: string, text: string): Line =>
  item('message', { role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });

/** A prompt as the harness records it: the item, and the event of the screen. */
export const prompt = (text: string): Line[] => [message('user', text), event('user_message', { message: text })];

export const reply = (text: string): Line => message('assistant', text);

export const reasoning = (): Line =>
  item('reasoning', { summary: [{ type: 'summary_text', text: 'shown only' }], encrypted_content: 'xx' });

export const call = (callId: string, name: string, args: object): Line =>
  item('function_call', { call_id: callId, name, arguments: JSON.stringify(args) });

export const result = (callId: string, output: unknown): Line =>
  item('function_call_output', { call_id: callId, output });

export const tokens = ([input, cached, output, reasoned = 0, written]: Tokens): object => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoned,
  ...(written !== undefined && { cache_write_input_tokens: written }),
  total_tokens: input + output,
});

/** A `token_count` by its own numbers and the session's total. */
export const count = (last: Tokens, total?: Tokens, window = 258_400): Line =>
  event('token_count', {
    info: {
      last_token_usage: tokens(last),
      ...(total && { total_token_usage: tokens(total) }),
      model_context_window: window,
    },
  });

/** A `token_usage_record` by its own numbers and, where it says so, what its thread had used by then. */
export const record = (responseId: string | undefined, last: Tokens, thread?: Tokens, more: object = {}): Line => ({
  type: 'token_usage_record',
  payload: {
    response_id: responseId,
    usage: tokens(last),
    ...(thread && { thread_token_usage: tokens(thread) }),
    ...more,
  },
});

/** A prompt as a history in pages records it. */
export const promptItem = (text: string, id = `i-${text}`): Line =>
  event('item_completed', { item: { type: 'UserMessage', id, content: [{ type: 'text', text }] } });

/** A compacted record. */
export const compacted = (payload: object): Line => ({ type: 'compacted', payload });

/** Lines one second apart from `start`; a line with its own time keeps it. */
export function stamped(lines: readonly Line[], start = '2026-03-01T10:00:01Z', step = 1000): object[] {
  return lines.map((line, at) => ({ timestamp: new Date(Date.parse(start) + at * step).toISOString(), ...line }));
}

export function sourceOf(values: readonly unknown[], path = 'rollout.jsonl'): Source {
  return {
    path,
    *records() {
      for (const [at, value] of values.entries()) yield { line: at + 1, value };
    },
  };
}

/** Reads values as one file of a run. */
export function readAll(values: readonly unknown[], seenRequests = new Set<string>()) {
  const findings = new Findings();
  const sessions = [...codex.read(sourceOf(values), { findings, seenRequests })];
  return { sessions, findings };
}

/** Reads lines, one second apart, that hold one session. */
export function read(lines: readonly Line[], seenRequests = new Set<string>()) {
  const { sessions, findings } = readAll(stamped(lines), seenRequests);
  const [session] = sessions;
  if (!session) throw new Error('no session');
  return { session, findings };
}

/** The usage of every request as [fresh, read, written, output]. */
export function usages(session: Session) {
  return session.requests.map(({ usage }) => usage && [usage.fresh, usage.cacheRead, usage.cacheWrite5m, usage.output]);
}

/** Every block as `kind text`. */
export function outline(session: Session): string[] {
  return session.blocks.map((block) => `${block.kind} ${block.text ?? ''}`.trim());
}

/** What a request carries, as block texts. */
export function promptOf(session: Session, request: number): string[] {
  return promptBlocks(session, request).map((index) => session.blocks[index]?.text ?? '');
}
