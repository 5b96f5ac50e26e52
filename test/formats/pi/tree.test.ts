import { describe, expect, it } from 'vitest';
import {
  aborted,
  answer,
  call,
  header,
  list,
  outline,
  promptOf,
  read,
  result,
  text,
  tree,
  usages,
  user,
} from './transcript.ts';

/** A branch that was left after its first answer, and the one that went on. */
const forked = [
  user('a'),
  answer([10, 0, 0, 1], 'A'),
  user('wrong'),
  answer([20, 0, 0, 2], 'Wrong.'),
  user('right', {}),
  answer([21, 0, 0, 3], 'Right.'),
].map((line, index) => (index === 4 ? { ...line, parentId: 'e2' } : line));

describe('a branch that was left', () => {
  it('was billed and is no context', () => {
    const { session, counts } = read(tree(forked));
    expect(outline(session)).toEqual(['prompt a', 'reply A', 'prompt right', 'reply Right.']);
    expect(usages(session)).toEqual([
      [10, 0, 0, 1],
      [21, 0, 0, 3],
    ]);
    expect(session.abandoned).toMatchObject([{ model: 'claude-x', usage: { fresh: 20, output: 2 } }]);
    expect(session.segments).toHaveLength(1);
    expect(counts).toEqual({});
  });

  it('lacks a bill where nothing counted its answer, and that is said', () => {
    const lines = forked.map((line, index) => (index === 3 ? aborted([0, 0, 0, 0], [text('Wro')]) : line));
    const { session, counts } = read(tree(lines));
    expect(usages(session)).toHaveLength(2);
    expect(session.abandoned).toEqual([]);
    expect(counts).toEqual({ 'request-not-billed: of a branch that was left': 1 });
  });

  it('may begin at the root', () => {
    const lines = forked.map((line, index) => (index === 4 ? { ...line, parentId: null } : line));
    const { session } = read(tree(lines));
    expect(outline(session)).toEqual(['prompt right', 'reply Right.']);
    expect(session.abandoned).toHaveLength(2);
  });

  it('leaves a summary where the session goes on', () => {
    const summary = { type: 'branch_summary', fromId: 'e4', summary: 'It was wrong.', parentId: 'e2' };
    const lines = [...forked.slice(0, 4), summary, user('right'), answer([30, 0, 0, 1])];
    const { session, counts } = read(tree(lines));
    expect(promptOf(session, 1)).toEqual(['a', 'A', 'It was wrong.', 'right']);
    expect(session.blocks[2]?.kind).toBe('summary');
    expect(counts).toEqual({ 'compaction-request-not-recorded: of a branch': 1 });
  });

  it('may be where a request failed before it began', () => {
    const lines = [...forked.slice(0, 3), aborted([0, 0, 0, 0]), ...forked.slice(4)];
    const { session, counts } = read(tree(lines));
    expect(session.abandoned).toEqual([]);
    expect(counts).toEqual({ 'request-without-usage: no answer began': 1 });
  });
});

describe('the way to the root', () => {
  it('goes through lines that hold nothing', () => {
    const idle = ['custom', 'label', 'model_change', 'session_info', 'thinking_level_change', 'unheard'];
    const lines = [user('a'), ...idle.map((type) => ({ type })), answer([9, 0, 0, 1])];
    const { session, counts } = read(tree(lines));
    expect(promptOf(session, 0)).toEqual(['a']);
    expect(counts).toEqual({ 'unknown-line-type: unheard': 1 });
  });

  it('goes to the line before where the parent is not there', () => {
    const lines = [user('a'), { ...answer([9, 0, 0, 1]), parentId: 'lost' }];
    const { session, counts } = read(tree(lines));
    expect(promptOf(session, 0)).toEqual(['a']);
    expect(counts).toEqual({ 'broken-tree': 1 });
  });

  it('is not led in a circle', () => {
    const lines = [{ ...user('a'), parentId: 'e2' }, answer([9, 0, 0, 1]), { ...user('b'), parentId: 'e3' }];
    const { session, counts } = read(tree(lines));
    expect(outline(session)).toEqual(['prompt a', 'reply ok', 'prompt b']);
    expect(counts).toEqual({ 'broken-tree': 2 });
  });

  it('keeps two lines of one id that say different things', () => {
    const lines = tree([user('a'), answer([9, 0, 0, 1], 'A'), user('b'), answer([12, 0, 0, 2], 'B'), user('c')]);
    const same = lines.map((line) => (line.id === 'e4' ? { ...line, id: 'e2' } : line));
    const last = { ...same[5], parentId: 'e2' };
    const { session, counts } = read([...same.slice(0, 5), last]);
    expect(usages(session)).toEqual([
      [9, 0, 0, 1],
      [12, 0, 0, 2],
    ]);
    expect(outline(session)).toEqual(['prompt a', 'reply A', 'prompt b', 'reply B', 'prompt c']);
    expect(counts).toEqual({ 'repeated-id': 1 });
  });

  it('hangs a line on an earlier one of its own id', () => {
    const [head, first, second] = tree([user('a'), answer([9, 0, 0, 1], 'A')]);
    const { session, counts } = read([head, first, { ...second, id: 'e1' }]);
    expect(outline(session)).toEqual(['prompt a', 'reply A']);
    expect(counts).toEqual({ 'repeated-id': 1 });
  });

  it('passes a line that was written twice once', () => {
    const lines = tree([user('a'), answer([9, 0, 0, 1])]);
    const { session, counts } = read([...lines, lines[2]]);
    expect(session.requests).toHaveLength(1);
    expect(counts).toEqual({ 'repeated-line': 1 });
  });
});

const rounds = [user('a'), answer([10, 0, 0, 1], 'A'), user('b'), answer([12, 0, 0, 1], 'B')];
const compaction = (more: object) => ({ type: 'compaction', summary: 'So far.', tokensBefore: 12, ...more });

describe('a compaction', () => {
  const compacted = [...rounds, compaction({ firstKeptEntryId: 'e3' }), user('c'), answer([8, 0, 0, 1], 'C')];

  it('begins a segment with the summary and what is kept, in this order', () => {
    const { session, counts } = read(tree(compacted));
    expect(session.segments).toMatchObject([{ reason: 'start' }, { reason: 'compaction', firstRequest: 2 }]);
    expect(promptOf(session, 2)).toEqual(['So far.', 'b', 'B', 'c']);
    expect(session.blocks.map(({ kind }) => kind).filter((kind) => kind === 'summary')).toHaveLength(1);
    expect(counts).toEqual({ 'compaction-request-not-recorded': 1 });
  });

  it('keeps the system prompt in front', () => {
    const init = { type: 'session_init', systemPrompt: 'Be good.', tools: ['read'] };
    const lines = [init, ...rounds, compaction({ firstKeptEntryId: 'e4' }), user('c'), answer([8, 0, 0, 1])];
    const { session } = read(tree(lines));
    expect(session.blocks[0]).toEqual({ kind: 'system', text: 'Be good.' });
    expect(promptOf(session, 2)).toEqual(['Be good.', 'So far.', 'b', 'B', 'c']);
  });

  it('counts lines in a list, the header being 0', () => {
    const lines = [...rounds, compaction({ firstKeptEntryIndex: 3 }), user('c'), answer([8, 0, 0, 1], 'C')];
    expect(promptOf(read(list(lines)).session, 2)).toEqual(['So far.', 'b', 'B', 'c']);
  });

  it('keeps nothing where it names itself, and says so where it names nothing', () => {
    const after = [user('c'), answer([8, 0, 0, 1], 'C')];
    const itself = read(list([...rounds, compaction({ firstKeptEntryIndex: 5 }), ...after]));
    const nothing = read(list([...rounds, compaction({ firstKeptEntryId: 'gone' }), ...after]));
    expect(promptOf(itself.session, 2)).toEqual(['So far.', 'c']);
    expect(promptOf(nothing.session, 2)).toEqual(['So far.', 'c']);
    expect(itself.counts).not.toHaveProperty('unknown-kept-entry');
    expect(nothing.counts).toHaveProperty('unknown-kept-entry', 1);
  });

  it('counts a header that comes again', () => {
    const lines = list([...rounds, compaction({ firstKeptEntryIndex: 4 }), user('c'), answer([8, 0, 0, 1], 'C')]);
    const { session } = read([...lines.slice(0, 2), lines[0], ...lines.slice(2)]);
    expect(promptOf(session, 2)).toEqual(['So far.', 'b', 'B', 'c']);
  });

  it('keeps nothing of a branch that was left', () => {
    const lines = [...forked, compaction({ firstKeptEntryId: 'e3' }), user('c'), answer([8, 0, 0, 1], 'C')];
    const { session, counts } = read(tree(lines));
    expect(promptOf(session, 2)).toEqual(['So far.', 'c']);
    expect(counts).toHaveProperty('unknown-kept-entry', 1);
  });

  it('takes the summary of the one before out of the context', () => {
    const lines = [
      ...compacted,
      compaction({ summary: 'More.', firstKeptEntryId: 'e4' }),
      user('d'),
      answer([7, 0, 0, 1]),
    ];
    expect(promptOf(read(tree(lines)).session, 3)).toEqual(['More.', 'B', 'c', 'C', 'd']);
  });

  it('cuts a turn in two that goes on', () => {
    const working = [user('a'), answer([10, 0, 0, 1], [call('c1')]), result('c1', 'one')];
    const lines = [...working, compaction({ firstKeptEntryId: 'e2' }), answer([8, 0, 0, 1], 'C')];
    const { session } = read(tree(lines));
    expect(session.turns).toEqual([{ firstBlock: 0 }, { firstBlock: 4, continues: true }]);
    expect(promptOf(session, 1)).toEqual(['So far.', '{"path":"c1.ts"}', 'one']);
  });

  it('opens the context of a file that begins with it', () => {
    const { session } = read(tree([compaction({ firstKeptEntryId: 'gone' }), user('c'), answer([8, 0, 0, 1])]));
    expect(session.segments).toHaveLength(1);
    expect(promptOf(session, 0)).toEqual(['So far.', 'c']);
  });

  it('is none on a branch that was left, but was billed', () => {
    const lines = [...compacted.slice(0, 5), { ...user('c'), parentId: 'e4' }, answer([14, 0, 0, 1])];
    const { session, counts } = read(tree(lines));
    expect(session.segments).toHaveLength(1);
    expect(promptOf(session, 2)).toEqual(['a', 'A', 'b', 'B', 'c']);
    expect(counts).toEqual({ 'compaction-request-not-recorded': 1 });
  });

  it('is no prompt that shrank', () => {
    expect(read(tree(compacted, header())).counts).not.toHaveProperty('prompt-shrank');
  });
});
