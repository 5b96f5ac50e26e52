import { describe, expect, it } from 'vitest';
import { humanTurns } from '../../../src/session/session.ts';
import {
  aborted,
  answer,
  call,
  header,
  list,
  listHeader,
  message,
  ms,
  outline,
  promptOf,
  read,
  readAll,
  result,
  text,
  tree,
  usages,
  user,
} from './transcript.ts';

const round = [
  user([text('look')]),
  answer([3, 0, 100, 20], [text('I look.'), call('c1')]),
  result('c1', 'one'),
  answer([5, 100, 30, 7], 'It is one.'),
];

describe('a session', () => {
  it('is its blocks in order, with a request before each answer', () => {
    const { session, counts } = read(tree(round));
    expect(session).toMatchObject({ id: 's1', agent: 'pi', project: '/work', model: 'claude-x', content: 'text' });
    expect(outline(session)).toEqual([
      'prompt look',
      'reply I look.',
      'call {"path":"c1.ts"}',
      'result one',
      'reply It is one.',
    ]);
    expect(session.requests.map(({ at, outputs, turn }) => [at, outputs, turn])).toEqual([
      [1, 2, 0],
      [4, 1, 0],
    ]);
    expect(usages(session)).toEqual([
      [3, 0, 100, 20],
      [5, 100, 30, 7],
    ]);
    expect(counts).toEqual({});
  });

  it('is the same from a list without ids', () => {
    const { blocks, requests, turns } = read(tree(round)).session;
    expect(read(list(round)).session).toMatchObject({ blocks, requests, turns });
  });

  it('counts a turn for every user line', () => {
    const steered = [user('go'), answer([1, 0, 0, 1], [call('c1')]), result('c1'), user('stop'), answer([1, 0, 0, 1])];
    const { session } = read(tree(steered));
    expect(humanTurns(session)).toBe(2);
    expect(session.turns.map(({ firstBlock }) => firstBlock)).toEqual([0, 3]);
  });

  it('names no person for the task of an agent', () => {
    const { session } = read(tree([user('task', { attribution: 'agent' }), answer([9, 0, 0, 1])]));
    expect(session.turns).toEqual([{ firstBlock: 0, continues: true }]);
    expect(session.blocks[0]?.kind).toBe('prompt');
  });

  it('knows the model of each answer', () => {
    const { session } = read(tree([user('a'), answer([9, 0, 0, 1]), answer([9, 0, 0, 1], 'b', { model: 'gpt-y' })]));
    expect(session.requests.map(({ model }) => model)).toEqual(['claude-x', 'gpt-y']);
    expect(session.model).toBe('claude-x');
  });

  it('says which answer has no model', () => {
    expect(read(tree([user('a'), answer([9, 0, 0, 1], 'b', { model: '' })])).counts).toEqual({ 'no-model': 1 });
  });

  it('is none without a message', () => {
    const settings = [
      { type: 'model_change', modelId: 'm' },
      { type: 'thinking_level_change' },
      { type: 'session_init', systemPrompt: 'Be good.' },
    ];
    const { sessions, findings } = readAll(tree(settings));
    expect(sessions).toEqual([]);
    expect(findings.list()).toEqual([]);
  });

  it('has the name of the file where the header is missing', () => {
    const { session, counts } = read(tree(round).slice(1));
    expect(session.id).toBe('session.jsonl');
    expect(counts).toEqual({ 'no-session-header': 1 });
  });

  it('ends where another header begins, and not where its own comes again', () => {
    const { sessions, findings } = readAll([...tree(round), header(), ...tree([user('b')], header('s2'))]);
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['s1', 2],
      ['s2', 0],
    ]);
    expect(findings.count('repeated-header')).toBe(1);
  });

  it('begins behind a title', () => {
    const { sessions } = readAll([{ type: 'title', title: 't' }, ...tree(round)]);
    expect(sessions.map(({ id }) => id)).toEqual(['s1']);
  });
});

describe('the time of a request', () => {
  const time = (line: object) => read(tree([user('a'), line as never])).session.requests[0]?.time;

  it('is when it was sent', () => {
    expect(time(answer([9, 0, 0, 1]))).toBe(ms(1.5));
  });

  it('is that of the last input where the message has none', () => {
    expect(time(answer([9, 0, 0, 1], 'ok', { timestamp: undefined }))).toBe(ms(1));
  });

  it('is not after its own answer', () => {
    expect(time(answer([9, 0, 0, 1], 'ok', { timestamp: ms(60) }))).toBe(ms(2));
  });

  it('is left out where it is no time', () => {
    const { session, counts } = read([header(), { type: 'message', timestamp: 'noon', message: { role: 'user' } }]);
    expect(session.blocks).toHaveLength(1);
    expect(counts).toEqual({ 'bad-time': 1 });
  });
});

describe('an answer that failed', () => {
  const half = [text('Half a'), call('c9')];
  const lines = [user('go'), aborted([1, 50, 5, 2], half), user('again'), answer([2, 55, 9, 3])];
  const carried = (head: object) => promptOf(read(list(lines, head as never)).session, 1);

  it('was billed, and is left out of the next prompt', () => {
    const { session } = read(tree(lines));
    expect(usages(session)[0]).toEqual([1, 50, 5, 2]);
    expect(session.requests[0]?.outputs).toBe(0);
    expect(session.requests[0]?.discarded?.map(({ kind }) => kind)).toEqual(['reply', 'call']);
    expect(promptOf(session, 1)).toEqual(['go', 'again']);
  });

  it('is sent again in a list', () => {
    expect(carried(listHeader())).toEqual(['go', 'Half a', '{"path":"c9.ts"}', 'again']);
    expect(read(list(lines)).counts).toEqual({ 'unanswered-call': 1 });
  });

  it('is sent again without its calls in the oldest lists', () => {
    const head = listHeader({ modelId: 'm' });
    expect(carried(head)).toEqual(['go', 'Half a', 'again']);
    expect(read(list(lines, head)).session.requests[0]?.discarded).toMatchObject([{ kind: 'call', callId: 'c9' }]);
  });

  it('is no request if it never began', () => {
    const early = [user('go'), { ...aborted([0, 0, 0, 0]) }, user('again'), answer([2, 0, 9, 3])];
    const { session, counts } = read(tree(early));
    expect(usages(session)).toEqual([[2, 0, 9, 3]]);
    expect(counts).toEqual({ 'request-without-usage: no answer began': 1 });
  });

  it('names no model if it never began', () => {
    const early = [user('a'), answer([0, 0, 0, 0], [], { stopReason: 'error', model: 'gpt-y' }), answer([9, 0, 0, 1])];
    expect(read(tree(early)).session.model).toBe('claude-x');
  });

  it('is a request of unknown size if it had begun', () => {
    const { session, counts } = read(tree([user('go'), aborted([0, 0, 0, 0], half)]));
    expect(session.requests).toHaveLength(1);
    expect(session.requests[0]?.usage).toBeUndefined();
    expect(session.requests[0]?.discarded).toMatchObject([{ text: 'Half a' }, { kind: 'call' }]);
    expect(counts).toEqual({ 'usage-missing': 1 });
  });

  it('keeps nothing back of an answer that went on', () => {
    expect(read(tree(round)).session.requests.map(({ discarded }) => discarded)).toEqual([undefined, undefined]);
  });
});

describe('what does not fit together', () => {
  it('is a result without its call, and a call without its result', () => {
    const { counts } = read(tree([user('a'), answer([9, 0, 0, 1], [call('c1')]), result('c2')]));
    expect(counts).toEqual({ 'orphan-result': 1, 'unanswered-call': 1 });
  });

  it('is a prompt that shrank without a reason', () => {
    expect(read(tree([answer([90, 0, 0, 1]), answer([80, 0, 0, 1])])).counts).toEqual({ 'prompt-shrank': 1 });
    const switched = [answer([90, 0, 0, 1]), answer([80, 0, 0, 1], 'b', { model: 'gpt-y' })];
    expect(read(tree(switched)).counts).toEqual({});
  });

  it('is usage that only the details of a result hold', () => {
    const details = { results: [{ usage: { input: 5 } }, { usage: null }, { usage: { input: 6 } }] };
    const { session, counts } = read(tree([answer([9, 0, 0, 1], [call('c1')]), result('c1', 'x', { details })]));
    expect(counts).toEqual({ 'nested-usage': 2 });
    expect(usages(session)).toEqual([[9, 0, 0, 1]]);
  });

  it('is a line or a role that nobody knows', () => {
    const odd = [{ type: 'mystery' }, message('oracle', { content: 'beware' }), answer([9, 0, 0, 1])];
    const { session, counts } = read([...tree(odd), 7]);
    expect(outline(session)).toEqual(['meta beware', 'reply ok']);
    expect(counts).toEqual({
      'unknown-line-type: mystery': 1,
      'unknown-role: oracle': 1,
      'unknown-line-type: not an object': 1,
    });
  });
});
