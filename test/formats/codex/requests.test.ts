import { describe, expect, it } from 'vitest';
import {
  call,
  context,
  count,
  event,
  item,
  message,
  meta,
  outline,
  prompt,
  promptOf,
  read,
  readAll,
  reasoning,
  reply,
  result,
  stamped,
  usages,
} from './rollout.ts';

const head = [
  meta('s1', { base_instructions: { text: 'be good' } }),
  event('task_started'),
  message('developer', 'rules'),
  context('gpt-5.5'),
];

describe('requests', () => {
  it('puts each request before its output when the count precedes the results (0.118)', () => {
    const { session } = read([
      ...head,
      ...prompt('go'),
      reasoning(),
      call('c1', 'exec_command', { cmd: 'ls' }),
      count([100, 0, 10, 4], [100, 0, 10, 4]),
      result('c1', 'out'),
      reply('done'),
      count([120, 100, 5], [220, 100, 15, 4]),
    ]);
    expect(outline(session)).toEqual([
      'system be good',
      'meta rules',
      'prompt go',
      'thinking',
      'call {"cmd":"ls"}',
      'result out',
      'reply done',
    ]);
    expect(session.requests.map(({ at, outputs, turn }) => [at, outputs, turn])).toEqual([
      [3, 2, 0],
      [6, 1, 0],
    ]);
    expect(usages(session)).toEqual([
      [100, 0, 0, 10],
      [20, 100, 0, 5],
    ]);
  });

  it('puts each request before its output when the count follows the results (0.139)', () => {
    const { session } = read([
      ...head,
      ...prompt('go'),
      reasoning(),
      call('c1', 'exec_command', { cmd: 'ls' }),
      result('c1', 'out'),
      count([100, 0, 10, 4], [100, 0, 10, 4]),
      reply('done'),
      count([120, 100, 5], [220, 100, 15, 4]),
    ]);
    expect(session.requests.map(({ at, outputs }) => [at, outputs])).toEqual([
      [3, 2],
      [6, 1],
    ]);
    expect(promptOf(session, 1)).toEqual(['be good', 'rules', 'go', '', '{"cmd":"ls"}', 'out']);
  });

  it('puts the reasoning tokens on the encrypted reasoning, and never its summary', () => {
    const { session } = read([
      ...head,
      ...prompt('go'),
      reasoning(),
      reasoning(),
      reply('a'),
      count([100, 0, 10, 7], [100, 0, 10, 7]),
    ]);
    const thinking = session.blocks.filter((block) => block.kind === 'thinking');
    expect(thinking).toEqual([
      { kind: 'thinking', text: '', hiddenTokens: 7 },
      { kind: 'thinking', text: '' },
    ]);
  });

  it('keeps readable reasoning as text', () => {
    const open = item('reasoning', { content: [{ type: 'reasoning_text', text: 'hm' }] });
    const { session } = read([...head, ...prompt('go'), open, reply('a'), count([100, 0, 10, 7], [100, 0, 10, 7])]);
    expect(session.blocks.find((block) => block.kind === 'thinking')).toEqual({ kind: 'thinking', text: 'hm' });
  });

  it('takes context from items only', () => {
    const { session, findings } = read([
      ...head,
      ...prompt('go'),
      event('agent_reasoning', { text: 'hm' }),
      event('agent_message', { message: 'a' }),
      reply('a'),
      event('exec_command_end', { stdout: 'out' }),
      count([100, 0, 10], [100, 0, 10]),
      event('task_complete'),
    ]);
    expect(outline(session)).toEqual(['system be good', 'meta rules', 'prompt go', 'reply a']);
    expect(findings.list()).toEqual([]);
  });

  it('keeps a response that was never counted as context, and says so', () => {
    const { session, findings } = read([
      ...head,
      ...prompt('go'),
      reply('half'),
      event('turn_aborted', { reason: 'interrupted' }),
      message('user', '<turn_aborted>\nstopped\n</turn_aborted>'),
      event('task_started'),
      ...prompt('again'),
      reply('whole'),
      count([100, 0, 10], [100, 0, 10]),
    ]);
    expect(promptOf(session, 0)).toEqual([
      'be good',
      'rules',
      'go',
      'half',
      '<turn_aborted>\nstopped\n</turn_aborted>',
      'again',
    ]);
    expect(session.requests).toHaveLength(1);
    expect(session.requests[0]).toMatchObject({ outputs: 1, turn: 1 });
    expect(findings.count('request-without-usage')).toBe(1);
  });

  it('splits a failed response from the one that repeats it', () => {
    const one = count([100, 0, 10], [100, 0, 10]);
    const lines = [...head, ...prompt('go'), call('c1', 'x', {}), result('c1', '1'), one];
    const failed = [call('c2', 'x', {}), result('c2', '2'), one];
    const { session, findings } = read([
      ...lines,
      ...failed,
      call('c3', 'x', {}),
      result('c3', '3'),
      count([120, 0, 9], [220, 0, 19]),
    ]);
    expect(session.requests.map((request) => [request.at, request.outputs])).toEqual([
      [3, 1],
      [7, 1],
    ]);
    expect(findings.count('request-without-usage')).toBe(1);
  });

  it.each([
    ['a turn that was aborted', event('turn_aborted')],
    ['a turn that just stopped', event('task_started')],
    ['a repeated count', count([100, 0, 10], [100, 0, 10])],
  ])('does not mix output from before and behind %s', (_, between) => {
    const { session, findings } = read([
      ...head,
      ...prompt('go'),
      reply('a'),
      count([100, 0, 10], [100, 0, 10]),
      message('developer', 'go on'),
      reply('half'),
      between,
      message('developer', 'note'),
      reply('whole'),
      count([120, 0, 10], [220, 0, 20]),
    ]);
    expect(promptOf(session, 1)).toEqual(['be good', 'rules', 'go', 'a', 'go on', 'half', 'note']);
    expect(findings.count('request-without-usage')).toBe(1);
  });

  it('takes the model of the last turn_context, then the one of the count, and guesses none', () => {
    const counted = (total: number, model?: string) =>
      event('token_count', {
        info: { model, total_token_usage: { input_tokens: total }, last_token_usage: { input_tokens: 10 } },
      });
    const { session, findings } = read([
      meta('s1'),
      ...prompt('go'),
      reply('a'),
      counted(10),
      reply('b'),
      counted(20, 'info-model'),
      context('turn-model'),
      reply('c'),
      counted(30, 'info-model'),
    ]);
    expect(session.requests.map((request) => request.model)).toEqual([undefined, 'info-model', 'turn-model']);
    expect(session.model).toBe('turn-model');
    expect(findings.count('no-model')).toBe(1);
  });

  it('keeps the effort that was asked for, until another one is', () => {
    const asked = (effort?: string) => ({ type: 'turn_context', payload: { model: 'm', effort } });
    const { session } = read([
      meta('s1'),
      ...[undefined, 'high', undefined].flatMap((effort, at) => [
        asked(effort),
        ...prompt('go'),
        reply('a'),
        count([1, 0, 1], [at + 1, 0, at + 1]),
      ]),
    ]);
    expect(session.requests.map(({ settings }) => settings)).toEqual([
      undefined,
      { effort: 'high' },
      { effort: 'high' },
    ]);
  });

  it('keeps a model that it has never heard of as it stands', () => {
    const { session } = read([
      meta('s1'),
      context('weird/model-9'),
      ...prompt('go'),
      reply('a'),
      count([1, 0, 1], [1, 0, 1]),
    ]);
    expect(session.requests[0]?.model).toBe('weird/model-9');
  });

  it('says so when a prompt shrinks without a reset', () => {
    const { findings } = read([
      ...head,
      ...prompt('a'),
      reply('1'),
      count([100, 0, 10], [100, 0, 10]),
      ...prompt('b'),
      reply('2'),
      count([90, 0, 10], [190, 0, 20]),
    ]);
    expect(findings.list()).toMatchObject([{ kind: 'prompt-shrank', count: 1, first: 'rollout.jsonl:12' }]);
  });
});

describe('times', () => {
  const clock = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}Z`;

  it('starts a request at its last input', () => {
    const { session } = read([
      ...head,
      ...prompt('go').map((line) => ({ timestamp: clock(20), ...line })),
      { timestamp: clock(25), ...call('c1', 'x', {}) },
      { timestamp: clock(30), ...result('c1', 'out') },
      { timestamp: clock(31), ...count([100, 0, 10], [100, 0, 10]) },
      { timestamp: clock(40), ...reply('a') },
      { timestamp: clock(41), ...count([120, 0, 10], [220, 0, 20]) },
    ]);
    expect(session.requests.map((request) => request.time)).toEqual([Date.parse(clock(20)), Date.parse(clock(30))]);
  });

  it('takes a time without a zone for UTC, wherever it runs', () => {
    const lines = [meta('s1'), ...prompt('go'), reply('a'), count([1, 0, 1], [1, 0, 1])];
    const { sessions } = readAll(lines.map((line) => ({ timestamp: '2026-03-01 10:00:00.123456', ...line })));
    expect(new Date().getTimezoneOffset()).not.toBe(0);
    expect(sessions[0]?.requests[0]?.time).toBe(Date.parse('2026-03-01T10:00:00.123Z'));
  });

  it('falls back to the time of the count, and counts times that are none', () => {
    const lines = [
      meta('s1'),
      ...prompt('go').map((line) => ({ timestamp: 'soon', ...line })),
      reply('a'),
      count([1, 0, 1], [1, 0, 1]),
    ];
    const { session, findings } = read(lines);
    expect(session.requests[0]?.time).toBe(Date.parse('2026-03-01T10:00:05Z'));
    expect(findings.count('bad-time')).toBe(2);
    const { sessions } = readAll([meta('s1'), ...prompt('go'), reply('a'), count([1, 0, 1], [1, 0, 1])]);
    expect(sessions[0]?.requests[0]).not.toHaveProperty('time');
  });
});

describe('sessions', () => {
  it('takes its facts from the first header', () => {
    const { session } = read([...head, meta('other'), ...prompt('go'), reply('a'), count([1, 0, 1], [1, 0, 1])]);
    expect(session).toMatchObject({
      id: 's1',
      agent: 'codex',
      agentVersion: '0.142.0',
      project: '/work',
      model: 'gpt-5.5',
      content: 'text',
    });
  });

  it('puts run-time tools into the context, but not those that are deferred', () => {
    const tools = [
      { name: 'ns', tools: [{ name: 'now' }, { name: 'later', deferLoading: true }] },
      { name: 'gone', tools: [{ name: 'later', deferLoading: true }] },
    ];
    const { session } = read([
      meta('s1', { instructions: 'old style', dynamic_tools: tools }),
      ...prompt('go'),
      reply('a'),
      count([1, 0, 1], [1, 0, 1]),
    ]);
    expect(session.blocks.slice(0, 2)).toEqual([
      { kind: 'system', text: 'old style' },
      { kind: 'tools', text: '[{"name":"ns","tools":[{"name":"now"}]}]' },
    ]);
  });

  it('makes nothing of a file without context', () => {
    expect(readAll([]).sessions).toEqual([]);
    expect(readAll(stamped([meta('s1'), context('m'), event('token_count', { info: null })])).sessions).toEqual([]);
  });

  it('names what it does not know, and passes over what it knows to be no context', () => {
    const { findings } = read([
      ...head,
      ...prompt('go'),
      item('hologram'),
      { type: 'mystery', payload: {} },
      { type: 'world_state', payload: {} },
      { type: 'token_usage_record', payload: {} },
      event('patch_apply_end'),
      event('telepathy'),
      item('ghost_snapshot'),
      reply('a'),
      count([1, 0, 1], [1, 0, 1]),
    ]);
    expect(findings.list().map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      'unknown-block-type hologram',
      'unknown-line-type event_msg/telepathy',
      'unknown-line-type mystery',
    ]);
  });

  it('reads the schema without a wrapper: a request per response, without usage', () => {
    const { sessions, findings } = readAll([
      { id: 'old', timestamp: '2025-04-20T10:00:00Z', instructions: 'be good', git: null },
      { record_type: 'state' },
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{"command":["bash","-lc","ls"]}' },
      { record_type: 'state' },
      { type: 'function_call_output', call_id: 'c1', output: '{"output":"a","metadata":{"exit_code":2}}' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    ]);
    const [session] = sessions;
    expect(session).toMatchObject({ id: 'old', turns: [{ firstBlock: 2 }] });
    expect(session && outline(session)).toEqual([
      'system be good',
      'meta <environment_context>x</environment_context>',
      'prompt go',
      'thinking',
      'call {"command":["bash","-lc","ls"]}',
      'result {"output":"a","metadata":{"exit_code":2}}',
      'reply done',
    ]);
    expect(session?.requests).toEqual([
      { at: 3, outputs: 2, turn: 0 },
      { at: 6, outputs: 1, turn: 0 },
    ]);
    expect(findings.list().map((it) => it.kind)).toEqual(['no-usage']);
  });
});
