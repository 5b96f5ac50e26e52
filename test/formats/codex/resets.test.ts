import { describe, expect, it } from 'vitest';
import { humanTurns } from '../../../src/session/session.ts';
import {
  call,
  compacted,
  context,
  count,
  event,
  message,
  meta,
  outline,
  prompt,
  promptOf,
  read,
  reply,
  result,
} from './rollout.ts';

const userItem = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const head = [
  meta('s1', { base_instructions: { text: 'be good' } }),
  event('task_started'),
  message('developer', 'rules'),
  context('gpt-5.5'),
];
const first = [...prompt('first'), reply('one'), count([100, 0, 10], [100, 0, 10]), event('task_complete')];
const zeros = event('token_count', {
  info: {
    total_token_usage: { input_tokens: 300, output_tokens: 30 },
    last_token_usage: { input_tokens: 0, output_tokens: 0, total_tokens: 5000 },
  },
});

describe('compaction', () => {
  const replacement = [
    userItem('first'),
    userItem('<environment_context>x</environment_context>'),
    userItem('second'),
    { type: 'compaction', encrypted_content: 'xx' },
  ];
  const middle = [
    event('task_started'),
    ...prompt('second'),
    call('c1', 'x', {}),
    result('c1', 'out'),
    count([200, 0, 20], [300, 0, 30]),
  ];

  it('replaces the whole context but the instructions, and goes on with its turn', () => {
    const { session, findings } = read([
      ...head,
      ...first,
      ...middle,
      compacted({ message: '', replacement_history: replacement }),
      zeros,
      event('context_compacted'),
      reply('two'),
      count([50, 0, 5], [350, 0, 35]),
    ]);
    expect(
      session.segments.map(({ reason, keeps, firstBlock, firstRequest, firstTurn }) => ({
        reason,
        keeps,
        firstBlock,
        firstRequest,
        firstTurn,
      })),
    ).toEqual([
      { reason: 'start', keeps: [], firstBlock: 0, firstRequest: 0, firstTurn: 0 },
      { reason: 'compaction', keeps: [0], firstBlock: 7, firstRequest: 2, firstTurn: 2 },
    ]);
    expect(outline(session).slice(7)).toEqual([
      'prompt first',
      'meta <environment_context>x</environment_context>',
      'prompt second',
      'summary',
      'reply two',
    ]);
    expect(session.turns.at(-1)).toEqual({ firstBlock: 11, continues: true });
    expect(humanTurns(session)).toBe(2);
    expect(promptOf(session, 2)).toEqual([
      'be good',
      'first',
      '<environment_context>x</environment_context>',
      'second',
      '',
    ]);
    expect(session.requests[2]).toMatchObject({ at: 11, outputs: 1, turn: 2 });
    expect(session.requests).toHaveLength(3);
    expect(findings.list().map((it) => [it.kind, it.count])).toEqual([['compaction-request-not-recorded', 1]]);
  });

  it('in the middle of a turn puts what comes next into that turn', () => {
    const { session } = read([
      ...head,
      ...first,
      ...middle,
      compacted({ replacement_history: replacement }),
      message('developer', 'note'),
      reply('two'),
      count([50, 0, 5], [350, 0, 35]),
    ]);
    expect(session.turns.at(-1)).toEqual({ firstBlock: 11, continues: true });
    expect(session.blocks[11]?.text).toBe('note');
  });

  it('between two turns begins no turn of its own', () => {
    const { session } = read([
      ...head,
      ...first,
      event('task_started'),
      compacted({ replacement_history: replacement }),
      ...prompt('third'),
      reply('three'),
      count([50, 0, 5], [150, 0, 15]),
    ]);
    expect(session.turns).toEqual([{ firstBlock: 2 }, { firstBlock: 8 }]);
    expect(session.segments[1]).toMatchObject({ firstBlock: 4, firstTurn: 1 });
  });

  it('without a replacement keeps the instructions and what the user said, behind them the summary', () => {
    const { session, findings } = read([
      ...head,
      ...first,
      ...middle,
      compacted({ message: 'we did things' }),
      reply('two'),
      count([50, 0, 5], [350, 0, 35]),
    ]);
    expect(session.segments[1]?.keeps).toEqual([0, 2, 4]);
    expect(promptOf(session, 2)).toEqual(['be good', 'first', 'second', 'we did things']);
    expect(session.turns.at(-1)).toEqual({ firstBlock: 8, continues: true });
    expect(findings.count('compaction-request-not-recorded')).toBe(1);
    expect(findings.count('prompt-shrank')).toBe(0);
  });

  it('keeps in the old context what came before it and was never sent', () => {
    const late = [call('c1', 'x', {}), count([200, 0, 20], [300, 0, 30]), result('c1', 'late')];
    const { session } = read([
      ...head,
      ...first,
      ...late,
      compacted({ replacement_history: [] }),
      ...prompt('next'),
      reply('two'),
      count([50, 0, 5], [350, 0, 35]),
    ]);
    expect(session.segments[1]?.firstBlock).toBe(6);
    expect(promptOf(session, 2)).toEqual(['be good', 'next']);
  });
});

describe('rollback', () => {
  const second = [
    event('task_started'),
    ...prompt('second'),
    reply('two'),
    count([200, 0, 20], [300, 0, 30]),
    event('task_complete'),
  ];
  const third = [event('task_started'), ...prompt('third'), reply('three'), count([90, 0, 5], [390, 0, 35])];

  it('takes turns out of the context and leaves them billed', () => {
    const { session, findings } = read([
      ...head,
      ...first,
      ...second,
      event('thread_rolled_back', { num_turns: 1 }),
      ...third,
    ]);
    expect(session.segments[1]).toMatchObject({ reason: 'rewind', keeps: [0, 1, 2, 3], firstRequest: 2, firstTurn: 2 });
    expect(promptOf(session, 2)).toEqual(['be good', 'rules', 'first', 'one', 'third']);
    expect(session.requests.map((request) => request.usage?.fresh)).toEqual([100, 200, 90]);
    expect(findings.list()).toEqual([]);
  });

  it('of more turns than there are leaves what stood before the first', () => {
    const { session } = read([...head, ...first, ...second, event('thread_rolled_back', { num_turns: 9 }), ...third]);
    expect(promptOf(session, 2)).toEqual(['be good', 'rules', 'third']);
  });

  it.each([0, -1, 'two', undefined])('of %j turns takes nothing out', (turns) => {
    const { session } = read([...head, ...first, event('thread_rolled_back', { num_turns: turns }), ...third]);
    expect(promptOf(session, 1)).toEqual(['be good', 'rules', 'first', 'one', 'third']);
  });

  it('counts the turns of a context that was replaced before', () => {
    const replaced = compacted({ replacement_history: [userItem('first'), userItem('second')] });
    const { session } = read([
      ...head,
      ...first,
      ...second,
      replaced,
      event('thread_rolled_back', { num_turns: 1 }),
      ...third,
    ]);
    expect(promptOf(session, 2)).toEqual(['be good', 'first', 'third']);
  });
});
