import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bar, scaleOf } from '../../src/reporters/bar.ts';

const scale = { low: -0.1, high: 0.3, width: 9 };

test.each([
  // Eight cells beside the zero line: two to the left for 0.1, six to the right for 0.3.
  [0.3, '  │██████'],
  [0.15, '  │███   '],
  [0.025, '  │▌     '],
  [0.00625, '  │▏     '],
  [0, '  │      '],
  [-0.05, ' █│      '],
  [-0.025, ' ▐│      '],
  [-0.1, '██│      '],
])('%f on a scale from -0.1 to 0.3', (value, drawn) => {
  expect(bar(value, scale)).toBe(drawn);
});

test('a small loss beside large savings keeps a cell of its own', () => {
  expect(bar(-0.001, { low: -0.001, high: 1, width: 9 })).toBe('█│       ');
  expect(bar(0.001, { low: -1, high: 0.001, width: 9 })).toBe('       │█');
});

test('no scale where nothing differs from zero, one side where nothing lies on the other', () => {
  expect(scaleOf([0, 0], 9)).toBeNull();
  expect(bar(0.2, scaleOf([0.2, 0.1], 9) ?? scale)).toBe('│████████');
  expect(bar(-0.2, scaleOf([-0.2, -0.1], 9) ?? scale)).toBe('████████│');
});

test('as wide as its scale, the zero line in one column, longer for more', () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(values, fc.integer({ min: 4, max: 40 }), (all, width) => {
      const of = scaleOf(all, width);
      if (!of) return;
      const bars = all.toSorted((a, b) => a - b).map((value) => bar(value, of));
      expect(new Set(bars.map((text) => text.length))).toEqual(new Set([width]));
      expect(new Set(bars.map((text) => text.indexOf('│'))).size).toBe(1);
      const inked = bars.map(
        (text) => text.slice(text.indexOf('│')).trimEnd().length - text.slice(0, text.indexOf('│')).trim().length,
      );
      expect(inked).toEqual(inked.toSorted((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});
