import { describe, expect, test } from 'vitest';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Usage } from '../../src/session/usage.ts';
import {
  countSession,
  estimateTokens,
  measureSession,
  needsCounter,
  tokenizerGeneration,
} from '../../src/tokens/index.ts';

/** Counts characters: a tokenizer that can be reckoned in the head. */
const byCharacter = { name: 'o200k_base', count: (text: string) => text.length } as const;
const usage = (fresh: number, output: number): Usage => ({
  fresh,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
});

function session({ prompt = 'x'.repeat(100), recorded }: { prompt?: string; recorded?: Usage } = {}) {
  const builder = new SessionBuilder();
  builder.turn();
  builder.block({ kind: 'prompt', text: prompt });
  builder.request(recorded ? { usage: recorded } : {});
  builder.block({ kind: 'reply', text: 'y'.repeat(200) });
  return measureSession(builder.build({ id: 's', content: 'text', model: 'claude-sonnet-4-5' }), byCharacter);
}

describe('estimates', () => {
  test('counted tokens times the factor of the tokenizer generation, rounded block by block', () => {
    const account = estimateTokens(session());
    expect([...account.blocks]).toEqual([118, 236]);
    expect([...account.outputs]).toEqual([236]);
  });

  test("counts in the model's own tokens are taken as they are", () => {
    expect([...estimateTokens({ ...session(), tokenizer: 'model' }).blocks]).toEqual([100, 200]);
  });

  test.each([
    ['claude-opus-4-6', 1.18],
    ['claude-sonnet-4-5-20250929', 1.18],
    ['claude-3-5-haiku', 1.18],
    ['claude-opus-4-7', 1.53],
    ['claude-opus-4.8', 1.53],
    ['claude-opus-5', 1.53],
    ['claude-sonnet-5-5', 1.53],
    ['claude-fable-5', 1.53],
    ['gpt-5.6-sol', 1],
    ['deepseek-v4', 1],
  ])('%s: %d', (model, factor) => expect(tokenizerGeneration(model).factor).toBe(factor));

  test('what the first recorded prompt holds beyond the visible blocks is an opening block', () => {
    const account = estimateTokens(session({ recorded: usage(5118, 236) }));
    expect([...account.blocks]).toEqual([5000, 118, 236]);
    expect(account.session.blocks[0]?.kind).toBe('system');
    expect(account.session.requests[0]?.at).toBe(2);
  });

  test('no opening where the transcript explains everything', () => {
    expect([...estimateTokens(session({ recorded: usage(90, 236) })).blocks]).toEqual([118, 236]);
  });

  test('recorded output is billed, a stream placeholder is not', () => {
    expect([...estimateTokens(session({ recorded: usage(118, 300) })).outputs]).toEqual([300]);
    expect([...estimateTokens(session({ recorded: usage(118, 1) })).outputs]).toEqual([236]);
    expect([...estimateTokens(session({ recorded: usage(118, 34) })).outputs]).toEqual([34]);
  });

  test('what was written and thrown away is billed by its estimate where nothing counted it', () => {
    const outputsOf = (recorded?: Usage, model?: string) => {
      const builder = new SessionBuilder();
      builder.turn();
      builder.block({ kind: 'prompt', text: 'p'.repeat(40) });
      const discarded = [
        { kind: 'reply', text: 'r'.repeat(100) },
        { kind: 'call', text: 'c'.repeat(50) },
      ] as const;
      builder.request({ discarded, ...(recorded && { usage: recorded }) });
      builder.block({ kind: 'prompt', text: 'q'.repeat(40) });
      builder.request({ usage: usage(90, 7) });
      const built = builder.build({ id: 's', content: 'text', model: 'claude-sonnet-4-5' });
      expect(needsCounter(built)).toBe(true);
      const measured = measureSession(built, byCharacter);
      expect(needsCounter(measured)).toBe(false);
      return [...countSession(measured, model).outputs];
    };
    const { factor } = tokenizerGeneration('claude-sonnet-4-5');
    const estimate = Math.round(100 * factor) + Math.round(50 * factor);
    expect(outputsOf()).toEqual([estimate, 7]);
    expect(outputsOf(usage(60, 1))).toEqual([estimate, 7]);
    expect(outputsOf(usage(60, 90))).toEqual([90, 7]);
    expect(outputsOf(undefined, 'gpt-5')[0]).toBe(150);
  });

  test('what was thrown away is expected in no later prompt', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', text: 'p'.repeat(100) });
    builder.request({ usage: usage(118, 236), discarded: [{ kind: 'call', text: 'c'.repeat(100) }] });
    builder.block({ kind: 'reply', text: 'r'.repeat(100) });
    builder.block({ kind: 'prompt', text: 'q'.repeat(100) });
    builder.request({ usage: usage(118 + 118 + 200, 7) });
    const built = builder.build({ id: 's', content: 'text', model: 'claude-sonnet-4-5' });
    const { blocks, outputs, fit } = countSession(measureSession(built, byCharacter));
    expect([...outputs]).toEqual([236, 7]);
    // The growth is shared evenly between two blocks of one size.
    expect([...blocks]).toEqual([118, 159, 159]);
    expect(fit?.edits).toEqual([]);
  });

  test('a session of which only what was thrown away lacks sizes is measured, too', () => {
    const builder = new SessionBuilder();
    builder.request({ discarded: [{ kind: 'reply', text: 'four' }] });
    const measured = measureSession(builder.build({ id: 's', content: 'text' }), byCharacter);
    expect(measured.requests[0]?.discarded).toMatchObject([{ kind: 'reply', size: { chars: 4, tokens: 4 } }]);
  });

  test('images and hidden tokens are counted', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', images: 2, text: '' });
    builder.request({});
    builder.block({ kind: 'thinking', text: '', hiddenTokens: 77 });
    const account = estimateTokens(measureSession(builder.build({ id: 's', content: 'text' }), byCharacter));
    expect([...account.blocks]).toEqual([3200, 77]);
    expect([...account.outputs]).toEqual([77]);
  });
});

test('measuring keeps sizes that are there and gives the others', () => {
  const measured = session();
  expect(measured.blocks[0]?.size).toMatchObject({ chars: 100, lines: 1, tokens: 100, derived: { excerpt200: 100 } });
  expect(measureSession(measured, byCharacter)).toBe(measured);
});
