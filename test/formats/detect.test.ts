import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../src/formats/detect.ts';
import type { Format } from '../../src/formats/format.ts';
import { createRegistry } from '../../src/registry.ts';
import { errorOf } from '../errors.ts';

const formats = createRegistry('format', [format('alpha', 'a'), format('beta', 'b')]);

describe('detectFormat', () => {
  it('takes the format that knows the first values', () => {
    expect(detectFormat([{}, { b: 1 }], 'x.jsonl', formats).name).toBe('beta');
  });

  it('names the file, the keys and the remedy when none knows them', () => {
    const error = errorOf(() =>
      detectFormat([{ role: 'user', text: '' }, { usage: 1 }, 7, null], 'dir/x.jsonl', formats),
    );
    expect(error.code).toBe('unknown-format');
    expect(error.message).toBe(
      'dir/x.jsonl: no known transcript format (its first records have the keys "role", "text", "usage")',
    );
    expect(error.hint).toContain('--input-format NAME (known: alpha, beta)');
    expect(error.hint).toContain('native format');
  });

  it('lists a dozen keys at most', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]));
    expect(errorOf(() => detectFormat([many], 'x', formats)).message).toMatch(/"k11", …\)$/);
  });

  it('says so when there are no objects, or nothing at all', () => {
    expect(errorOf(() => detectFormat([], 'x', formats)).message).toContain('no line of it is JSON');
    expect(errorOf(() => detectFormat([[1], 'text'], 'x', formats)).message).toContain('no JSON objects');
  });

  it('does not choose between two', () => {
    const error = errorOf(() => detectFormat([{ a: 1, b: 2 }], 'x.jsonl', formats));
    expect(error.code).toBe('ambiguous-format');
    expect(error.message).toBe('x.jsonl: could be alpha or beta');
    expect(error.hint).toContain('--input-format alpha or --input-format beta');
  });
});

function format(name: string, key: string): Format {
  return {
    name,
    title: name,
    supplies: { text: true, times: true, usage: 'none' },
    sniff: (head) => head.some((value) => typeof value === 'object' && value !== null && key in value),
    read: () => [],
  };
}
