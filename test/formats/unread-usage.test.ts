import { describe, expect, test } from 'vitest';
import { noteUnreadUsage, usageWithin } from '../../src/formats/unread-usage.ts';
import { Findings } from '../../src/session/findings.ts';

describe('a usage in a line that is not read', () => {
  test('is its prompt with what was cached beside it, and its output', () => {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      cache_creation: { ephemeral_5m_input_tokens: 20 },
      output_tokens: 7,
    };
    expect(usageWithin({ type: 'x', data: { message: { message: { usage } } } })).toEqual({ input: 123, output: 7 });
    expect(usageWithin({ usage: { prompt_tokens: 50, completion_tokens: 0 } })).toEqual({ input: 50, output: 0 });
    expect(usageWithin({ usage: { input: 2, output: 3, cacheRead: 40, cacheWrite: 5 } })).toEqual({
      input: 47,
      output: 3,
    });
  });

  test.each([
    [{ input: { command: 'ls' }, output: 'a.ts' }],
    [{ input_tokens: 5 }],
    [{ input_tokens: '5', output_tokens: 'x' }],
    [{ input_tokens: -1, output_tokens: 2 }],
    ['input_tokens'],
    [null],
  ])('is not seen in %j', (value) => {
    expect(usageWithin(value)).toBeUndefined();
  });

  test('is looked for near the top, and not in a document of thousands of values', () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    expect(usageWithin({ a: { b: { c: { d: { e: { f: usage } } } } } })).toBeUndefined();
    const many = Array.from({ length: 3000 }, () => 0);
    expect(usageWithin({ many, usage: { inner: usage } })).toBeUndefined();
  });

  test('is counted by the kind of its line, with the sum of its tokens', () => {
    const findings = new Findings();
    for (const line of [3, 9]) noteUnreadUsage(findings, 'a.jsonl', line, 'odd', { input_tokens: 4, output_tokens: 1 });
    noteUnreadUsage(findings, 'a.jsonl', 11, 'odd', { input_tokens: 0, output_tokens: 0 });
    noteUnreadUsage(findings, 'a.jsonl', 12, 'odd', { text: 'hello' });
    expect(findings.list()).toEqual([
      { kind: 'unread-usage', detail: 'odd', count: 2, first: 'a.jsonl:3', tokens: { input: 8, output: 2 } },
    ]);
  });
});
