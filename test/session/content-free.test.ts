import { describe, expect, test } from 'vitest';
import { SessionBuilder } from '../../src/session/builder.ts';
import { WordRemover } from '../../src/session/content-free.ts';
import type { Block, Session } from '../../src/session/session.ts';

const known = { tools: new Set(['Bash']), agents: new Set(['codex']) };
const size = { chars: 9, lines: 1, tokens: 3 };

function bare(build: (builder: SessionBuilder) => void, facts: Partial<Session> = {}): Session {
  const builder = new SessionBuilder();
  build(builder);
  return new WordRemover(known).remove(builder.build({ id: 'secret', content: 'text', ...facts }), 'new');
}

const blocks = (...list: Block[]) =>
  bare((builder) => {
    for (const block of list) builder.block(block);
  }).blocks;

describe('a session without its words', () => {
  test('keeps the sizes of a block and what happened, and no text', () => {
    const sized = { ...size, derived: { stub: 7, terse: 5 } };
    const result = { kind: 'result', isError: true, exitCode: 2, images: 1, hiddenTokens: 4, size: sized } as const;
    expect(blocks({ ...result, text: 'words' })).toEqual([result]);
  });

  test('drops what is no field of the model', () => {
    const stray = { kind: 'reply', size: { ...size, derived: { excerpt300: 2, words: 1 } }, note: 'words' };
    expect(blocks(stray as unknown as Block)).toEqual([
      { kind: 'reply', size: { ...size, derived: { excerpt300: 2 } } },
    ]);
  });

  test('keeps which targets, calls and tools are the same', () => {
    const call = (callId: string, tool: string, target: string): Block => ({
      kind: 'call',
      callId,
      tool,
      target,
      size,
    });
    const named = blocks(
      call('toolu_1', 'Bash', 'make'),
      call('toolu_2', 'mcp__mine', 'secret.ts'),
      call('toolu_3', 'mcp__other', 'make'),
      { kind: 'result', callId: 'toolu_2', size },
    );
    expect(named.map(({ callId, tool, target }) => [callId, tool, target])).toEqual([
      ['c1', 'Bash', 't1'],
      ['c2', 'tool1', 't2'],
      ['c3', 'tool2', 't1'],
      ['c2', 'tool1', 't2'],
    ]);
  });

  test('keeps the usual values of settings and numbers the others', () => {
    const { requests } = bare((builder) => {
      builder.request({ id: 'req_1', settings: { effort: 'high', tools: 'mine' } });
      builder.request({ settings: { tools: 'yours' }, discarded: [{ kind: 'reply', text: 'words', size }] });
      builder.request({ settings: { tools: 'mine' }, time: 5, model: 'm', totals: { prompt: 3, output: 1 } });
    });
    expect(requests.map(({ id, settings }) => [id, settings])).toEqual([
      [undefined, { effort: 'high', tools: 'setting1' }],
      [undefined, { tools: 'setting2' }],
      [undefined, { tools: 'setting1' }],
    ]);
    expect(requests[1]?.discarded).toEqual([{ kind: 'reply', size }]);
    expect(requests[2]).toMatchObject({ time: 5, model: 'm', totals: { prompt: 3, output: 1 } });
  });

  test.each([
    [
      { agent: 'codex', agentVersion: '0.126.0-alpha.8' },
      { agent: 'codex', agentVersion: '0.126.0-alpha.8' },
    ],
    [
      { agent: 'acme', agentVersion: '2.0-acme' },
      { agent: 'agent1', agentVersion: 'version1' },
    ],
    [
      { project: 'secret', parent: 'secret', model: 'm', warmBlocks: 2, tokenizer: 'model' as const },
      { project: 'project1', model: 'm', warmBlocks: 2, tokenizer: 'model' },
    ],
  ])('what is known of the session: %j', (facts, expected) => {
    const { blocks: _b, turns: _t, requests: _r, segments: _s, abandoned: _a, ...kept } = bare(() => {}, facts);
    expect(kept).toEqual({ id: 'new', content: 'sizes', ...expected });
  });
});
