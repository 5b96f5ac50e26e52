import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/session/session.ts';
import { answer, call, message, read, result, text, tree, user } from './transcript.ts';

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

function blocksOf(...lines: object[]): readonly Block[] {
  return read(tree(lines as never)).session.blocks;
}

function findingsOf(...lines: object[]) {
  return read(tree(lines as never)).counts;
}

describe('what a line puts into the context', () => {
  it.each<[string, object, Block]>([
    ['a user text', user('look'), { kind: 'prompt', text: 'look' }],
    ['texts and images', user([text('a'), image, text('b')]), { kind: 'prompt', text: 'a\nb', images: 1 }],
    ['a developer message', message('developer', { content: [text('mind')] }), { kind: 'meta', text: 'mind' }],
    ['a custom message', { type: 'custom_message', customType: 'x', content: 'news' }, { kind: 'meta', text: 'news' }],
    ['a hook message', message('hookMessage', { content: 'news' }), { kind: 'meta', text: 'news' }],
    [
      'a command of the user',
      message('bashExecution', { command: 'make', output: 'fine', exitCode: 0 }),
      { kind: 'meta', text: 'make\nfine' },
    ],
    [
      'code of the user',
      message('pythonExecution', { code: '1 + 1', output: '2' }),
      { kind: 'meta', text: '1 + 1\n2' },
    ],
    ['a summary', message('branchSummary', { summary: 'So.' }), { kind: 'summary', text: 'So.' }],
  ])('%s', (_, line, block) => {
    expect(blocksOf(line)).toEqual([block]);
  });

  it('leaves out the commands that the user kept from the model', () => {
    expect(blocksOf(user('a'), message('bashExecution', { command: 'pwd', excludeFromContext: true }))).toHaveLength(1);
  });

  it('says where a system prompt comes late', () => {
    const lines = [user('a'), { type: 'session_init', systemPrompt: 'Be good.' }];
    expect(blocksOf(...lines)).toHaveLength(1);
    expect(findingsOf(...lines)).toEqual({ 'late-system-prompt': 1 });
  });

  it('names blocks that it does not know', () => {
    expect(findingsOf(user([{ type: 'video' }]), answer([9, 0, 0, 1], [{ type: 'song' }]))).toEqual({
      'unknown-block-type: song': 1,
      'unknown-block-type: video': 1,
    });
  });

  it('has no reply without words', () => {
    expect(blocksOf(answer([9, 0, 0, 1], [text(''), text('b')]))).toEqual([{ kind: 'reply', text: 'b' }]);
  });
});

describe('calls and results', () => {
  it.each([
    ['read', { path: 'a.ts' }, 'view', 'a.ts'],
    ['ls', { path: 'src' }, 'view', 'src'],
    ['edit', { path: 'a.ts', oldText: 'a', newText: 'b' }, 'edit', 'a.ts'],
    ['write', { path: 'a.ts', content: 'b' }, 'write', 'a.ts'],
    ['bash', { command: 'make' }, 'exec', 'make'],
    ['grep', { pattern: 'x', path: 'src' }, 'search', 'x src'],
    ['find', { pattern: '*.ts' }, 'search', '*.ts'],
    ['web_search', { query: 'q' }, 'search', 'q'],
    ['subagent', { agent: 'scout', task: 'look' }, 'agent', 'scout'],
    ['todo', {}, 'todo', undefined],
    ['deploy', { path: 'x' }, 'other', undefined],
    ['constructor', {}, 'other', undefined],
  ])('%s %j is %s of %s', (name, args, action, target) => {
    const lines = [answer([9, 0, 0, 1], [call('c1', name, args)]), result('c1', 'done', { toolName: name })];
    const expected = { callId: 'c1', tool: name, action, ...(target !== undefined && { target }) };
    expect(blocksOf(...lines)).toEqual([
      { kind: 'call', ...expected, text: JSON.stringify(args) },
      { kind: 'result', ...expected, text: 'done' },
    ]);
  });

  it('knows errors, exit statuses and images', () => {
    const failed = 'bang\n\nCommand exited with code 2';
    const bash = (words: string, more: object) => [
      answer([9, 0, 0, 1], [call('c1', 'bash', { command: 'make' })]),
      result('c1', words, { toolName: 'bash', ...more }),
    ];
    expect(blocksOf(...bash(failed, { isError: true }))[1]).toMatchObject({ exitCode: 2, isError: true, text: failed });
    expect(blocksOf(...bash('Command exited with code 2, it said', {}))[1]).not.toHaveProperty('exitCode');
    const seen = [answer([9, 0, 0, 1], [call('c1')]), result('c1', '', { content: [image, text('a.png'), image] })];
    expect(blocksOf(...seen)[1]).toMatchObject({ images: 2, text: 'a.png' });
    const quoted = [answer([9, 0, 0, 1], [call('c1')]), result('c1', failed)];
    expect(blocksOf(...quoted)[1]).not.toHaveProperty('exitCode');
  });

  it('leaves the details of a result to the screen', () => {
    const lines = [answer([9, 0, 0, 1], [call('c1')]), result('c1', 'ok', { details: { diff: 'long' } })];
    expect(blocksOf(...lines)[1]?.text).toBe('ok');
  });
});
