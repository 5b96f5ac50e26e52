import { describe, expect, test } from 'vitest';
import { describeCall } from '../../../src/formats/claude-code/tools.ts';
import { humanTurns } from '../../../src/session/session.ts';
import { assistant, attachment, call, log, read, result, text, usage, user } from './transcript.ts';

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

/** The blocks of one user line, and whether it opened a turn. */
function say(content: unknown, more: Record<string, unknown> = {}) {
  const { session, counts } = read([user('u0', null, 'first'), user('u1', 'u0', content, more)]);
  return { blocks: session.blocks.slice(1), turns: session.turns.length - 1, counts };
}

describe('who speaks in a user line', () => {
  test.each([
    '<system-reminder>be brief</system-reminder>',
    '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>now</command-args>',
    '<local-command-stdout>Bye!</local-command-stdout>',
    '<local-command-caveat>Caveat: …</local-command-caveat>',
    '<bash-input>ls</bash-input>',
    '<bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>',
    '<task-notification>\n<task-id>1</task-id>\n</task-notification>\nSee the output file.',
    '<ide_opened_file>The user opened a.ts</ide_opened_file>',
    '[Request interrupted by user for tool use]',
    '[Image: source: a.png]',
    'Continue from where you left off.',
    '<system-reminder>never closed',
  ])('not a person: %j', (words) => {
    expect(say(words)).toEqual({ blocks: [{ kind: 'meta', text: words }], turns: 0, counts: {} });
  });

  test('a person, behind reminders: they are split off, not dropped with', () => {
    const { blocks, turns } = say(
      '<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection>\n\nfix <b>this</b>',
    );
    expect(blocks).toEqual([
      { kind: 'meta', text: '<system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection>' },
      { kind: 'prompt', text: 'fix <b>this</b>' },
    ]);
    expect(turns).toBe(1);
  });

  test('a person, with markup of their own', () => {
    expect(say('<div>why?</div>').turns).toBe(1);
    expect(say('> quoted\nwhy?').blocks).toEqual([{ kind: 'prompt', text: '> quoted\nwhy?' }]);
  });

  test('several pieces of one message are one turn; images are counted', () => {
    const { blocks, turns } = say([text('look'), image, image, text('and here')]);
    expect(blocks).toEqual([
      { kind: 'prompt', text: 'look' },
      { kind: 'prompt', text: '', images: 1 },
      { kind: 'prompt', text: '', images: 1 },
      { kind: 'prompt', text: 'and here' },
    ]);
    expect(turns).toBe(1);
    expect(say([image]).turns).toBe(1);
  });

  test('the harness, by its flags', () => {
    expect(say('Base directory …', { isMeta: true })).toMatchObject({ blocks: [{ kind: 'meta' }], turns: 0 });
    expect(say('done', { origin: { kind: 'task-notification' } })).toMatchObject({
      blocks: [{ kind: 'meta' }],
      turns: 0,
    });
    expect(say('hello', { origin: { kind: 'human' } })).toMatchObject({ blocks: [{ kind: 'prompt' }], turns: 1 });
    expect(say('for the screen', { isVisibleInTranscriptOnly: true })).toMatchObject({ blocks: [], turns: 0 });
  });

  test('words that ride along with a result steer the running turn', () => {
    const { blocks, turns } = say([{ type: 'tool_result', tool_use_id: 't', content: 'x' }, text('not so')]);
    expect(blocks.map(({ kind }) => kind)).toEqual(['result', 'prompt']);
    expect(turns).toBe(0);
  });
});

describe('queued prompts (vector 18)', () => {
  const queued = (prompt: unknown, commandMode = 'prompt') => ({ type: 'queued_command', commandMode, prompt });
  const working = [
    user('u1', null, 'go'),
    assistant('a1', 'u1', 'm1', call('t1'), usage(1, 1)),
    result('r1', 'a1', 't1'),
  ];
  const idle = [user('u1', null, 'go'), assistant('a1', 'u1', 'm1', text('Done.'), usage(1, 1))];

  test('are prompts of the running turn while the model works, and open one when it does not', () => {
    const during = read([...working, attachment('q1', 'r1', queued('also this'))]).session;
    expect(log(during).at(-1)).toBe('prompt also this');
    expect(humanTurns(during)).toBe(1);
    const after = read([...idle, attachment('q1', 'a1', queued([text('also this'), image]))]).session;
    expect(after.blocks.slice(2)).toEqual([
      { kind: 'prompt', text: 'also this' },
      { kind: 'prompt', text: '', images: 1 },
    ]);
    expect(humanTurns(after)).toBe(2);
  });

  test('of the harness are not', () => {
    const { session } = read([...idle, attachment('q1', 'a1', queued('task 1 ended', 'task-notification'))]);
    expect(log(session).at(-1)).toBe('meta task 1 ended');
    expect(humanTurns(session)).toBe(1);
  });
});

describe('results', () => {
  const of = (block: Record<string, unknown>) => {
    const lines = [
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1', 'Bash', { command: 'make' }), usage(1, 1)),
      user('r1', 'a1', [{ type: 'tool_result', tool_use_id: 't1', ...block }]),
    ];
    const { session, counts } = read(lines);
    return { block: session.blocks[2], counts };
  };
  const facts = { kind: 'result', callId: 't1', tool: 'Bash', action: 'exec', target: 'make' };

  test('carry text, error flag and the status of a command', () => {
    expect(of({ content: 'ok' }).block).toEqual({ ...facts, text: 'ok' });
    expect(of({ content: 'Exit code 2\nno rule', is_error: true }).block).toEqual({
      ...facts,
      text: 'Exit code 2\nno rule',
      isError: true,
      exitCode: 2,
    });
    expect(of({ content: 'Exit code 2 is what I print', is_error: false }).block).not.toHaveProperty('exitCode');
  });

  test('may be blocks, images or nothing', () => {
    const content = [text('a'), image, text('b'), { type: 'tool_reference', tool_name: 'WebFetch' }];
    expect(of({ content }).block).toEqual({ ...facts, text: 'a\nb\nWebFetch', images: 1 });
    expect(of({}).block).toEqual({ ...facts, text: '' });
  });

  test('that were spilled to a file count to the end of the preview (vector 10)', () => {
    const preview = '<persisted-output>\nOutput too large.\n\nPreview:\nabc\n</persisted-output>';
    expect(of({ content: `${preview}${'x'.repeat(100_000)}` })).toMatchObject({
      block: { text: preview },
      counts: { 'persisted-output-cut': 1 },
    });
    expect(of({ content: `${preview}\nA note.` })).toEqual({
      block: { ...facts, text: `${preview}\nA note.` },
      counts: {},
    });
    expect(of({ content: `<persisted-output>${'x'.repeat(100_000)}` }).block?.text?.length).toBeLessThan(3000);
  });

  test('without a call, and calls without a result, are counted', () => {
    const { counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), usage(1, 1)),
      result('r1', 'a1', 't9'),
    ]);
    expect(counts).toEqual({ 'orphan-result': 1, 'unanswered-call': 1 });
  });

  test('of tools that run at the provider follow the output they stand in', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant(
        'a1',
        'u1',
        'm1',
        { type: 'server_tool_use', id: 'w1', name: 'web_search', input: { query: 'x' } },
        usage(1, 9),
      ),
      assistant(
        'a2',
        'a1',
        'm1',
        { type: 'web_search_tool_result', tool_use_id: 'w1', content: [{ url: 'u' }] },
        usage(1, 9),
      ),
      assistant('a3', 'a2', 'm1', text('Found.'), usage(1, 9)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'call w1', 'reply Found.', 'result w1']);
    expect(session.requests[0]?.outputs).toBe(2);
    expect(counts).toEqual({});
  });
});

describe('calls', () => {
  test.each([
    ['Read', { file_path: 'a.ts' }, 'view', 'a.ts'],
    ['Edit', { file_path: 'a.ts' }, 'edit', 'a.ts'],
    ['MultiEdit', { file_path: 'a.ts' }, 'edit', 'a.ts'],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'edit', 'a.ipynb'],
    ['Write', { file_path: 'a.ts' }, 'write', 'a.ts'],
    ['Bash', { command: 'ls -l' }, 'exec', 'ls -l'],
    ['Grep', { pattern: 'x+', path: 'src' }, 'search', 'x+ src'],
    ['Glob', { pattern: '**/*.ts' }, 'search', '**/*.ts'],
    ['WebFetch', { url: 'https://a.b' }, 'fetch', 'https://a.b'],
    ['WebSearch', { query: 'cats' }, 'search', 'cats'],
    ['Task', { description: 'look' }, 'agent', 'look'],
    ['Agent', { description: 'look' }, 'agent', 'look'],
    ['AskUserQuestion', { questions: [] }, 'ask', undefined],
    ['Skill', { skill: 'commit' }, 'skill', 'commit'],
    ['TodoWrite', { todos: [] }, 'todo', undefined],
    ['TaskUpdate', { taskId: '1' }, 'todo', undefined],
    ['mcp__x__read', { file_path: 'a.ts' }, 'other', undefined],
    ['constructor', { file_path: 'a.ts' }, 'other', undefined],
    ['Read', { file_path: 7 }, 'view', undefined],
  ])('%s %j', (name, input, action, target) => {
    expect(describeCall(name, input as never)).toEqual(target === undefined ? { action } : { action, target });
  });

  test('carry their input as compact JSON', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1', 'Bash', { command: 'ls', n: 1 }), usage(1, 1)),
    ]);
    expect(session.blocks[1]).toEqual({
      kind: 'call',
      callId: 't1',
      tool: 'Bash',
      action: 'exec',
      target: 'ls',
      text: '{"command":"ls","n":1}',
    });
  });
});

describe('attachments', () => {
  const attached = (body: Record<string, unknown>) => {
    const { session, counts } = read([user('u1', null, 'go'), attachment('x1', 'u1', body)]);
    return { texts: session.blocks.slice(1).map(({ kind, text: words }) => `${kind} ${words}`), counts };
  };

  test.each([
    [{ type: 'file', filename: 'a.ts', content: { type: 'text', file: { content: 'x' } } }, 'meta a.ts\nx'],
    [{ type: 'nested_memory', path: 'R.md', content: { content: 'rule', rawContent: 'not this' } }, 'meta R.md\nrule'],
    [{ type: 'edited_text_file', filename: 'a.ts', snippet: '1 x' }, 'meta a.ts\n1 x'],
    [{ type: 'skill_listing', content: '- a: b' }, 'meta - a: b'],
    [{ type: 'hook_additional_context', content: ['a', 'b'] }, 'meta a\nb'],
    [{ type: 'hook_success', hookEvent: 'SessionStart', content: 'hello', stdout: 'hello' }, 'meta hello'],
    [{ type: 'deferred_tools_delta', addedNames: ['A'], addedLines: ['A', 'B'], removedNames: [] }, 'meta A\nB'],
    [{ type: 'mcp_instructions_delta', addedBlocks: ['## x'], removedNames: [] }, 'meta ## x'],
    [{ type: 'task_reminder', content: [{ id: 1 }], itemCount: 1 }, 'meta [{"id":1}]'],
    [{ type: 'total_tokens_reminder', text: '5 left' }, 'meta 5 left'],
    [{ type: 'invoked_skills', skills: [{ content: 'how' }] }, 'meta how'],
  ])('%j', (body, expected) => {
    expect(attached(body)).toEqual({ texts: [expected], counts: {} });
  });

  test.each([
    [{ type: 'hook_success', hookEvent: 'Stop', content: 'x', stdout: 'x' }],
    [{ type: 'hook_system_message', content: 'x' }],
    [{ type: 'command_permissions', allowedTools: [] }],
    [{ type: 'task_reminder', content: [], itemCount: 0 }],
  ])('%j adds nothing', (body) => {
    expect(attached(body)).toEqual({ texts: [], counts: {} });
  });

  test('of an unknown kind are guessed at and counted', () => {
    expect(attached({ type: 'brand_new', content: 'words' })).toEqual({
      texts: ['meta words'],
      counts: { 'unknown-attachment-type:brand_new': 1 },
    });
  });
});
