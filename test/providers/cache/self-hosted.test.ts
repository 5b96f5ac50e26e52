import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cacheModelNamed } from '../../../src/providers/index.ts';
import { errorOf } from '../../errors.ts';
import { type Part, Prompter } from './prompt.ts';

/** A matcher that knows nothing of views: token by token, blocks of 16, least recently used first, of one prompt the last. */
class BruteForce {
  readonly #kept: string[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = Math.floor(capacity / 16);
  }

  read(parts: readonly Part[]): number {
    const tokens = parts.flatMap(([name, count]) => Array.from({ length: count }, (_, at) => `${name}.${at}`));
    const blocks = Array.from({ length: Math.floor(tokens.length / 16) }, (_, at) =>
      tokens.slice(0, 16 * (at + 1)).join(' '),
    );
    const missing = blocks.findIndex((block) => !this.#kept.includes(block));
    const hits = missing === -1 ? blocks.length : missing;
    for (const block of blocks.toReversed()) {
      const at = this.#kept.indexOf(block);
      if (at !== -1) this.#kept.splice(at, 1);
      this.#kept.push(block);
    }
    while (this.#kept.length > this.#capacity) this.#kept.shift();
    return hits * 16;
  }
}

const parts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 40 })), {
  minLength: 1,
  maxLength: 6,
});

describe('vllm', () => {
  test.each([
    ['vllm', Number.POSITIVE_INFINITY],
    ['vllm:capacity=96', 96],
    ['vllm:capacity=200', 200],
  ] as const)('%s reads what a brute-force matcher finds on random streams', (name, capacity) => {
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), (stream) => {
        const cache = new Prompter(name);
        const brute = new BruteForce(capacity);
        for (const prompt of stream) {
          // The same name with another length is another text.
          const named = prompt.map(([text, tokens]): Part => [`${text}${tokens}`, tokens]);
          const { read, fresh } = cache.send(named);
          expect(read).toBe(brute.read(named));
          expect(read + fresh).toBe(named.reduce((sum, [, tokens]) => sum + tokens, 0));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('full blocks of 16 only: 40 common tokens are two blocks', () => {
    const cache = new Prompter('vllm');
    cache.send([['a', 40]]);
    expect(
      cache.send([
        ['a', 40],
        ['b', 24],
      ]),
    ).toEqual({ read: 32, write5m: 0, write1h: 0, fresh: 32 });
  });

  test('a capacity that is none is refused', () => {
    expect(errorOf(() => cacheModelNamed('vllm:capacity=none')).code).toBe('bad-cache');
    expect(errorOf(() => cacheModelNamed('vllm:capacity=8')).code).toBe('bad-cache');
    expect(errorOf(() => cacheModelNamed('vlm')).code).toBe('unknown-name');
  });
});

test('sglang reads token by token and forgets nothing', () => {
  const cache = new Prompter('sglang');
  cache.send([['a', 41]], { time: 0 });
  expect(
    cache.send(
      [
        ['a', 41],
        ['b', 1],
      ],
      { time: 9e9 },
    ).read,
  ).toBe(41);
});
