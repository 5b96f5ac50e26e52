import { describe, expect, it } from 'vitest';
import { readItem } from '../../../src/formats/codex/items.ts';
import { readResult } from '../../../src/formats/codex/results.ts';
import { describeCall } from '../../../src/formats/codex/tools.ts';
import { call, count, item, meta, prompt, read, result } from './rollout.ts';

const blockOf = (payload: Record<string, unknown>) => {
  const read = readItem(payload);
  return typeof read === 'object' ? read.block : read;
};

it('a call that nothing answers is a finding', () => {
  const lines = [meta('s'), ...prompt('a'), call('1', 'shell', {}), call('2', 'shell', {}), count([100, 0, 10])];
  const findings = (more: Parameters<typeof read>[0]) =>
    read([...lines, ...more, ...prompt('b'), count([200, 0, 10])]).findings.count('unanswered-call');
  expect(findings([result('1', 'x')])).toBe(1);
  expect(findings([result('2', 'x'), result('1', '')])).toBe(0);
});

describe('tools', () => {
  it.each([
    ['exec_command', '{"cmd":"ls -l"}', { action: 'exec', target: 'ls -l' }],
    ['shell', '{"command":["bash","-lc","cat a | wc"]}', { action: 'exec', target: 'cat a | wc' }],
    ['shell', '{"command":["ls","-l"]}', { action: 'exec', target: 'ls -l' }],
    [
      'shell',
      '{"command":["apply_patch","*** Begin Patch\\n*** Update File: a.ts\\n"]}',
      { action: 'edit', target: 'a.ts' },
    ],
    ['write_stdin', '{"session_id":1,"chars":""}', { action: 'exec' }],
    ['apply_patch', '*** Begin Patch\n*** Update File: src/a b.ts\n@@\n', { action: 'edit', target: 'src/a b.ts' }],
    ['apply_patch', '*** Begin Patch\n*** Add File: new.ts\n+x\n', { action: 'write', target: 'new.ts' }],
    ['apply_patch', '{"input":"*** Begin Patch\\n*** Delete File: old.ts\\n"}', { action: 'edit', target: 'old.ts' }],
    [
      'exec',
      'const r = await tools.exec_command({cmd:"sed -n \\"1p\\" a", workdir:"/"}); text(r.output)',
      { action: 'exec', target: 'sed -n "1p" a' },
    ],
    [
      'exec',
      'const p = "*** Begin Patch\\n*** Update File: a.rs\\n@@"; text(await tools.apply_patch(p));',
      { action: 'edit', target: 'a.rs' },
    ],
    ['exec', 'await tools.write_stdin({session_id: 1})', { action: 'exec' }],
    ['exec', 'text(1 + 1)', { action: 'exec' }],
    ['update_plan', '{"plan":[]}', { action: 'todo' }],
    ['spawn_agent', '{"message":"review it"}', { action: 'agent', target: 'review it' }],
    ['view_image', '{"path":"a.png"}', { action: 'view', target: 'a.png' }],
    ['grep_files', '{"pattern":"x+"}', { action: 'search', target: 'x+' }],
    ['request_user_input', '{}', { action: 'ask' }],
    ['constructor', '{}', { action: 'other' }],
    ['mine', 'not json {', { action: 'other' }],
  ])('%s %s', (name, input, use) => {
    expect(describeCall(name, input)).toEqual(use);
  });

  it('keeps the arguments as they were sent, and a tool with its namespace', () => {
    expect(
      blockOf({ type: 'function_call', call_id: 'c', name: 'get', namespace: 'mcp__x', arguments: '{ "path": "p" }' }),
    ).toEqual({
      kind: 'call',
      callId: 'c',
      tool: 'mcp__x.get',
      action: 'other',
      target: 'p',
      text: '{ "path": "p" }',
    });
  });

  it('reads the calls that are no functions', () => {
    expect(
      blockOf({ type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } }),
    ).toMatchObject({ callId: 'c', tool: 'local_shell', action: 'exec', target: 'ls' });
    expect(blockOf({ type: 'web_search_call', action: { type: 'search', query: 'q' } })).toMatchObject({
      kind: 'call',
      tool: 'web_search',
      action: 'search',
      target: 'q',
    });
    expect(blockOf({ type: 'web_search_call', action: { type: 'open_page', url: 'u' } })).toMatchObject({
      action: 'fetch',
      target: 'u',
    });
    expect(blockOf({ type: 'tool_search_call', call_id: 'c', arguments: { query: 'q' } })).toMatchObject({
      tool: 'tool_search',
      action: 'search',
      target: 'q',
    });
    expect(blockOf({ type: 'image_generation_call', result: 'AAAA' })).toMatchObject({ kind: 'call', images: 1 });
    expect(blockOf({ type: 'agent_message', content: [{ type: 'text', text: 'hi' }] })).toEqual({
      kind: 'meta',
      text: 'hi',
    });
    expect(blockOf({ type: 'compaction', encrypted_content: 'xx' })).toEqual({ kind: 'summary', text: '' });
  });

  it('gives a result the tool of its call', () => {
    const { session } = read([
      meta('s1'),
      ...prompt('go'),
      call('c1', 'exec_command', { cmd: 'ls' }),
      result('c1', 'x'),
      count([1, 0, 1], [1, 0, 1]),
    ]);
    expect(session.blocks.at(-1)).toEqual({
      kind: 'result',
      callId: 'c1',
      tool: 'exec_command',
      action: 'exec',
      target: 'ls',
      text: 'x',
    });
  });

  it('reads every kind of output', () => {
    const outputs = ['function_call_output', 'custom_tool_call_output'].map((type) =>
      blockOf({ type, call_id: 'c', output: 'x' }),
    );
    expect(outputs).toEqual(Array(2).fill({ kind: 'result', callId: 'c', text: 'x' }));
    expect(blockOf({ type: 'tool_search_output', call_id: 'c', tools: [{ name: 'a' }] })).toMatchObject({
      text: '[{"name":"a"}]',
    });
    expect(item('function_call_output').payload).toBeDefined();
  });
});

describe('results', () => {
  it.each([
    ['Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nx', 3],
    ["Command: /bin/sh -c 'a\nb'\nChunk ID: a1\nProcess exited with code 0\nOutput:\n", 0],
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\nx', 1],
    ['{"output":"x","metadata":{"exit_code":127,"duration_seconds":0.1}}', 127],
    ['Chunk ID: a1\nProcess exited with code -1\nOutput:\n', -1],
  ])('reads the exit status of %j', (output, exitCode) => {
    expect(readResult(output)).toEqual({ text: output, exitCode });
  });

  it.each([
    'Chunk ID: a1\nProcess running with session ID 5\nOutput:\nProcess exited with code 1\n',
    'the log says\nExit code: 7\n',
    '{"metadata":{"exit_code":"soon"}}',
    '{"broken',
    'Plan updated',
  ])('reads none from %j', (output) => {
    expect(readResult(output)).toEqual({ text: output });
  });

  it('joins parts, counts images, and finds the exit status that a script printed', () => {
    const parts = [
      { type: 'input_text', text: 'Script completed\nOutput:\n' },
      { type: 'input_text', text: '{"exit_code":4,"output":"x"}' },
      { type: 'input_image', image_url: 'data:' },
      { type: 'input_text', text: 'end' },
    ];
    expect(readResult(parts)).toEqual({
      text: 'Script completed\nOutput:\n{"exit_code":4,"output":"x"}\nend',
      images: 1,
      exitCode: 4,
    });
  });

  it('knows a recorded failure', () => {
    expect(readResult({ content: 'no', success: false })).toEqual({ text: 'no', isError: true });
    expect(readResult('apply_patch verification failed: no such lines').isError).toBe(true);
    expect(readResult({ content: 'yes', success: true })).toEqual({ text: 'yes' });
  });

  it.each([undefined, null, 7, {}, [], [null, 5, {}]])('makes an empty text of %j', (output) => {
    expect(readResult(output)).toEqual({ text: '' });
  });
});
