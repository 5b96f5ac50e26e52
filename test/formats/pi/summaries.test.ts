import { describe, expect, it } from 'vitest';
import {
  answer,
  at,
  header,
  type Line,
  message,
  ms,
  read,
  readAll,
  type Tokens,
  text,
  tree,
  usage,
  user,
} from './transcript.ts';

const compaction = (tokens?: Tokens, more: Line = {}): Line => ({
  type: 'compaction',
  summary: 'short',
  firstKeptEntryId: 'e3',
  ...(tokens && { usage: usage(tokens) }),
  ...more,
});

const rounds = [user('a'), answer([10, 0, 0, 1]), user('b'), answer([20, 0, 0, 2])];
const after = [user('c'), answer([25, 0, 0, 1])];

describe('the request that wrote a summary', () => {
  it('is billed beside the conversation, to the model of the last answer', () => {
    const { session, counts } = read(tree([...rounds, compaction([900, 0, 0, 30]), ...after]));
    expect(session.requests).toHaveLength(3);
    expect(session.abandoned).toMatchObject([{ model: 'claude-x', usage: { fresh: 900, output: 30 } }]);
    expect(session.segments).toHaveLength(2);
    expect(counts).toEqual({});
  });

  it('of a branch that was left, too, is billed', () => {
    const summary = { type: 'branch_summary', summary: 'went there', fromId: 'e4', usage: usage([70, 0, 0, 3]) };
    const { session, counts } = read(tree([...rounds, { ...summary, parentId: 'e2' }, ...after]));
    // The answer on the branch that was left, and its summary.
    expect(session.abandoned.map(({ usage: it }) => it.fresh)).toEqual([20, 70]);
    expect(counts).toEqual({});
  });

  it('is of the model that its line names, or that was chosen last', () => {
    const change = { type: 'model_change', provider: 'p', modelId: 'gpt-y' };
    const lines = [...rounds, compaction([9, 0, 0, 1], { model: 'small' }), change, compaction([8, 0, 0, 1]), ...after];
    expect(read(tree(lines)).session.abandoned.map(({ model }) => model)).toEqual(['small', 'gpt-y']);
  });

  it('is told to be missing only where its line has no usage', () => {
    const { counts } = read(tree([...rounds, compaction(), ...after]));
    expect(counts).toEqual({ 'compaction-request-not-recorded': 1 });
    const unread = { details: { calls: [{ usage: { inputTokens: 40, outputTokens: 2 } }] } };
    const { findings } = read(tree([...rounds, compaction(undefined, unread), ...after]));
    expect(findings.list()).toMatchObject([
      { kind: 'compaction-request-not-recorded' },
      { kind: 'unread-usage', detail: 'compaction', tokens: { input: 40, output: 2 } },
    ]);
  });

  it('is billed once where a fork or another file copies its line', () => {
    const lines = tree([...rounds, compaction([900, 0, 0, 30]), ...after]);
    const seen = new Set<string>();
    read(lines, seen);
    expect(readAll(lines, seen).sessions).toEqual([]);
    const fork = [header('f', { timestamp: at(90), parentSession: 'p' }), ...lines.slice(1)];
    const own = { ...answer([7, 0, 0, 1], 'x', { timestamp: ms(98) }), id: 'z', parentId: 'e7', timestamp: at(99) };
    expect(read([...fork, own]).session.abandoned).toEqual([]);
  });
});

describe('a usage that is not billed', () => {
  const counted = { input: 40, output: 2, cacheRead: 5, cacheWrite: 0 };
  const tokens = { input: 45, output: 2 };
  const result = (more: Line) =>
    message('toolResult', { toolCallId: 'c', toolName: 'task', content: [text('x')], isError: false, ...more });

  it.each([
    ['of agents that a tool ran', result({ details: { results: [{ usage: counted }] } }), 'nested-usage'],
    ['of a tool itself', result({ usage: counted }), 'nested-usage'],
    ['of a plug-in', { type: 'custom', customType: 'x', data: { usage: counted } }, 'unread-usage'],
    ['of a line that nobody knows', { type: 'child_usage_attributed', childUsage: counted }, 'unread-usage'],
    ['of a role that nobody knows', message('oracle', { content: 'x', usage: counted }), 'unread-usage'],
    ['of a note', { type: 'custom_message', content: 'x', details: { usage: counted } }, 'unread-usage'],
    [
      'of an answer in other words',
      answer([1, 0, 0, 1], 'x', { usage: { prompt_tokens: 45, completion_tokens: 2 } }),
      'unread-usage',
    ],
  ])('is said, with its tokens: %s', (_, line, kind) => {
    const { findings } = read(tree([...rounds, line]));
    expect(findings.list()).toContainEqual(expect.objectContaining({ kind, tokens }));
  });

  it('is said on a branch that was left, too', () => {
    const left = { ...result({ details: { usage: counted } }) };
    const { findings } = read(tree([...rounds, left, { ...user('again'), parentId: 'e2' }, ...after.slice(1)]));
    expect(findings.count('nested-usage')).toBe(1);
  });
});

describe('answers of one name in one file', () => {
  const nameless = (content: string, more: Line = {}): Line =>
    answer([9, 0, 0, 1], content, { responseId: 'always', ...more });

  it('are each billed where no message has a time and they are alike but for their lines', () => {
    const lines = [header(), user('a'), nameless('ok'), user('b'), nameless('ok')];
    expect(read(lines).session.requests).toHaveLength(2);
    const timed = [header(), nameless('ok'), nameless('ok')].map((line, second) => ({
      ...line,
      timestamp: at(second),
    }));
    expect(read(timed).session.requests).toHaveLength(2);
  });

  it('are one where nothing tells them apart', () => {
    expect(read([header(), user('a'), nameless('ok'), nameless('ok')]).session.requests).toHaveLength(1);
  });
});
