import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CountedRow,
  classKeys,
  labelColumns,
  priceRows,
  readCounts,
  solvePrices,
  tableColumns,
  totalsOf,
} from '../../src/analysis/index.ts';
import { solveLinear } from '../../src/analysis/linear.ts';
import { CtxsimError } from '../../src/errors.ts';
import type { Rates } from '../../src/providers/provider.ts';
import { type Usage, usageClasses, zeroUsage } from '../../src/session/index.ts';

const sonnet: Rates = { fresh: 3, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, output: 15 };

function row(tokens: Partial<Usage>, publishedUsd?: number): CountedRow {
  return { label: '', tokens: { ...zeroUsage, ...tokens }, publishedUsd };
}

describe('pricing a table', () => {
  test('every class at its own price', () => {
    const rows = usageClasses.map((name) => row({ [name]: 1e6 }));
    expect(priceRows(rows, sonnet, 0).map(({ usd }) => usd)).toEqual([3, 0.3, 3.75, 6, 15]);
  });

  test('a bill known to the cent: 100k of which 80k read, 6k written for 5 minutes and 4k for an hour, 1k out', () => {
    const mixed = row({ fresh: 10_000, cacheRead: 80_000, cacheWrite5m: 6_000, cacheWrite1h: 4_000, output: 1_000 });
    expect(priceRows([mixed], sonnet, 0)[0]?.usd).toBeCloseTo(0.1155, 12);
  });

  test('the difference to what the table says, and whether that is within the tolerance, which counts as within', () => {
    const priced = priceRows(
      [row({ fresh: 1e6 }, 2.993), row({ fresh: 1e6 }, 3.008), row({ fresh: 1e6 })],
      sonnet,
      0.007,
    );
    expect(priced.map(({ fits }) => fits)).toEqual([true, false, undefined]);
    expect(priced[1]?.difference).toBeCloseTo(-0.008, 12);
    expect(totalsOf(priced)).toMatchObject({ rows: 3, usd: 9, compared: 2, comparedUsd: 6, fitting: 1 });
    expect(totalsOf(priced).publishedUsd).toBeCloseTo(6.001, 12);
    expect(totalsOf(priced).largestDifference).toBeCloseTo(0.008, 12);
  });
});

describe('solving for prices', () => {
  /** Rows of made-up counts, priced and rounded to cents as a table prints them. */
  function published(rates: Rates, counts: readonly Partial<Usage>[]): CountedRow[] {
    return priceRows(
      counts.map((tokens) => row(tokens)),
      rates,
      0,
    ).map(({ tokens, usd }) => row(tokens, Math.round(usd * 100) / 100));
  }
  const million = fc.integer({ min: 1, max: 50_000 }).map((thousands) => thousands * 1000);
  // Evenly drawn: fast-check's favourite values are rows of next to nothing, which determine no price.
  const counts = fc.noBias(
    fc.array(fc.record({ fresh: million, cacheRead: million, output: million }), { minLength: 25, maxLength: 60 }),
  );

  test('finds the prices of a table that rounds to cents, whatever a fifth of its rows says', () => {
    fc.assert(
      fc.property(
        counts,
        fc.constantFrom([0.75, 0.075, 4.5], [3, 0.3, 15], [1.25, 0.125, 10], [0.27, 0.07, 1.1]),
        fc.double({ min: 0.2, max: 50, noNaN: true }),
        (tokens, [fresh = 0, cacheRead = 0, output = 0], error) => {
          const rates = { fresh, cacheRead, output, cacheWrite5m: 0, cacheWrite1h: 0 };
          const rows = published(rates, tokens).map((it, at) =>
            at % 5 === 0 ? { ...it, publishedUsd: (it.publishedUsd ?? 0) + error * (at % 2 === 0 ? 1 : -0.5) } : it,
          );
          const solved = solvePrices(rows, 0.007);
          const odd = priceRows(rows, solved, 0.02).flatMap(({ fits }, at) => (fits === false ? [at] : []));
          expect(odd).toEqual(rows.flatMap((_, at) => (at % 5 === 0 ? [at] : [])));
          for (const name of ['fresh', 'cacheRead', 'output'] as const) {
            expect(Math.abs(solved[name] - rates[name])).toBeLessThan(0.002);
          }
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  test('an odd row does not pull, even where it is by far the largest', () => {
    const small = Array.from({ length: 20 }, (_, at) => ({ fresh: (at + 1) * 2e5, output: ((at * 7) % 20) * 1e5 }));
    const rows = [...published(sonnet, small), row({ fresh: 9e8, output: 8e8 }, 20_000)];
    expect(solvePrices(rows, 0.007)).toMatchObject({ fresh: 3, output: 15 });
  });

  test('a class that the table has none of costs nothing', () => {
    const rows = published(sonnet, [{ fresh: 9e6 }, { fresh: 1e6, output: 2e6 }, { output: 7e6 }]);
    expect(solvePrices(rows, 0.007)).toEqual({ ...sonnet, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 });
  });

  test.each([
    ['no published cost', [row({ fresh: 1 })], /0 rows/],
    ['fewer rows than prices', [row({ fresh: 1, output: 1 }, 1)], /1 rows .* 2 prices/],
    ['no counts', [row({}, 1), row({}, 2)], /do not give 0 prices/],
    [
      'one proportion',
      [1, 2, 3].map((n) => row({ fresh: n * 1e6, output: n * 2e6 }, n)),
      /do not tell the prices apart/,
    ],
  ])('%s is an error', (_, rows, message) => {
    expect(() => solvePrices(rows, 0.007)).toThrow(message);
    expect(() => solvePrices(rows, 0.007)).toThrow(CtxsimError);
  });
});

describe('small linear systems', () => {
  test('agree with their right side', () => {
    const value = fc.integer({ min: -50, max: 50 });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value, value), { minLength: 3, maxLength: 3 }), (equations) => {
        const matrix = equations.map(([a, b, c]) => [a, b, c]);
        const right = equations.map(([, , , d]) => d);
        const solution = solveLinear(matrix, right);
        if (!solution) return;
        matrix.forEach((line, at) => {
          const left = line.reduce((sum, factor, column) => sum + factor * (solution[column] ?? 0), 0);
          expect(left).toBeCloseTo(right[at] ?? 0, 6);
        });
      }),
    );
  });

  test('without a single solution have none', () => {
    expect(
      solveLinear(
        [
          [1, 2],
          [2, 4],
        ],
        [1, 2],
      ),
    ).toBeUndefined();
    expect(
      solveLinear(
        [
          [0, 0],
          [0, 1],
        ],
        [1, 2],
      ),
    ).toBeUndefined();
  });
});

describe('columns of a table', () => {
  test.each([
    ['fresh', ['fresh', 'input', 'Input Tokens', 'cache_miss_M', 'uncached_input_tokens']],
    ['read', ['read', 'cacheRead', 'cache_read_M', 'cache_read_input_tokens', 'cachedInputTokens']],
    ['write5m', ['write5m', 'cache_write_5m', 'cache_creation_input_tokens']],
    ['write1h', ['write1h', 'cacheWrite1h']],
    ['output', ['output', 'output_M', 'completion_tokens']],
    ['cost', ['cost', 'cost_usd', 'cost_usd_published', 'Total cost (USD)']],
  ])('%s is found as %j', (key, headings) => {
    for (const heading of headings) {
      const header = [heading, key === 'fresh' ? 'output' : 'fresh'];
      expect(tableColumns(header, {})[key as 'fresh'], heading).toEqual([heading]);
    }
  });

  test('what the map names is not taken twice, and wins', () => {
    const columns = tableColumns(['input', 'prompt', 'cost'], { fresh: 'prompt' });
    expect(columns).toEqual({ fresh: ['prompt'], cost: ['cost'] });
  });

  test('two that could be the same are named', () => {
    expect(() => tableColumns(['input', 'prompt', 'output'], {})).toThrow(/"fresh": input, prompt/);
    expect(() => tableColumns(['a', 'b'], {})).toThrow(/no column holds counts/);
  });

  test('counts are in units, sums of columns, and means of so many requests', () => {
    const columns = { fresh: ['a', 'b'], requests: ['n'], cost: ['c'] };
    const values = { a: '1.5', b: 2, n: '4', c: '0.5' };
    expect(readCounts(values, columns, 1000)).toMatchObject({ tokens: { fresh: 14_000 }, publishedUsd: 0.5 });
    expect(readCounts({ ...values, c: '' }, columns, 1)).toMatchObject({ publishedUsd: undefined });
    expect(readCounts({ ...values, b: '' }, columns, 1)).toBe('fresh is no count of tokens');
    expect(readCounts({ ...values, n: 'x' }, columns, 1)).toBe('requests is no number');
  });

  test('a row is called by its words', () => {
    const values = { bench: 'B', mode: 'M', read: '1' };
    expect(labelColumns(values, { read: ['read'] })).toEqual(['bench', 'mode']);
    expect(labelColumns(values, { read: ['read'], label: ['mode'] })).toEqual(['mode']);
  });

  test('every class has a key', () => {
    expect(Object.keys(classKeys)).toEqual(usageClasses);
  });
});
