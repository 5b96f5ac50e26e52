/** A small transcript of a format, and what a line of it looks like. */
export interface FormatSample {
  /** A session that reads without a finding. */
  readonly lines: readonly object[];
  readonly requests: number;
  /** What every line of the format carries beside its content. */
  readonly envelope: object;
  /** Kinds of line that no reader knows, or of which none is known to hold a usage. */
  readonly kinds: readonly string[];
}

const time = '2026-01-01T10:00:00.000Z';
const counts = { input: 10, output: 2 };

/** By the name of the format. */
export const formatSamples: Readonly<Record<string, FormatSample>> = {
  native: {
    lines: [
      { type: 'session', format: 'ctxsim.session/1', id: 'n', model: 'claude-sonnet-4-5' },
      { type: 'turn' },
      { type: 'block', kind: 'prompt', text: 'go' },
      { type: 'request', usage: { fresh: 10, cacheRead: 0, output: 2 } },
      { type: 'block', kind: 'reply', text: 'done' },
    ],
    requests: 1,
    envelope: {},
    kinds: ['usage_of_tomorrow'],
  },
  'claude-code': {
    lines: [
      { type: 'user', uuid: 'u1', parentUuid: null, sessionId: 'S', timestamp: time, message: { content: 'go' } },
      {
        type: 'assistant',
        uuid: 'a1',
        parentUuid: 'u1',
        sessionId: 'S',
        timestamp: time,
        requestId: 'req_1',
        message: {
          id: 'msg_1',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'text', text: 'done' }],
          usage: { input_tokens: counts.input, output_tokens: counts.output },
        },
      },
    ],
    requests: 1,
    envelope: { uuid: 'x1', parentUuid: 'a1', sessionId: 'S', timestamp: time },
    kinds: ['usage_of_tomorrow', 'system/side_request', 'last-prompt', 'progress', 'attachment'],
  },
  codex: {
    lines: [
      { timestamp: time, type: 'session_meta', payload: { id: 'c', timestamp: time } },
      { timestamp: time, type: 'turn_context', payload: { model: 'gpt-5.1-codex' } },
      {
        timestamp: time,
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      },
      { timestamp: time, type: 'event_msg', payload: { type: 'user_message', message: 'go' } },
      {
        timestamp: time,
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
      },
      {
        timestamp: time,
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: {
            total_token_usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 2, total_tokens: 12 },
            last_token_usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 2, total_tokens: 12 },
          },
        },
      },
    ],
    requests: 1,
    envelope: { timestamp: time },
    kinds: ['usage_of_tomorrow', 'event_msg', 'world_state'],
  },
  pi: {
    lines: [
      { type: 'session', version: 3, id: 'p', timestamp: time, cwd: '/w' },
      {
        type: 'message',
        id: 'm1',
        parentId: null,
        timestamp: time,
        message: { role: 'user', content: 'go', timestamp: 1767261600000 },
      },
      {
        type: 'message',
        id: 'm2',
        parentId: 'm1',
        timestamp: time,
        message: {
          role: 'assistant',
          provider: 'anthropic',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'text', text: 'done' }],
          usage: { ...counts, cacheRead: 0, cacheWrite: 0 },
          stopReason: 'stop',
          timestamp: 1767261601000,
        },
      },
    ],
    requests: 1,
    envelope: { id: 'x1', parentId: 'm2', timestamp: time },
    kinds: ['usage_of_tomorrow', 'custom', 'label'],
  },
  'request-log': {
    lines: [
      { session: 'r', time, model: 'claude-sonnet-4-5', input: 10, read: 0, output: 2, turn: 1 },
      { session: 'r', time, model: 'claude-sonnet-4-5', input: 20, read: 10, output: 2, turn: 0 },
    ],
    requests: 2,
    envelope: {},
    kinds: ['usage_of_tomorrow'],
  },
};
