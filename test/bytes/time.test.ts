import { describe, expect, test } from 'vitest';
import { parseTime } from '../../src/bytes/index.ts';

const noon = Date.UTC(2026, 0, 2, 12, 0, 0);

describe('times (the tests run in a zone that is not UTC)', () => {
  test.each([
    ['2026-01-02T12:00:00.000Z', noon],
    ['2026-01-02T12:00:00Z', noon],
    ['2026-01-02T12:00:00', noon],
    ['2026-01-02 12:00:00', noon],
    ['2026-01-02 12:00:00.250', noon + 250],
    ['2026-01-02T12:00:00.123456Z', noon + 123],
    ['2026-01-02T12:00:00.1234567+00:00', noon + 123],
    ['2026-01-02T14:30:00+02:30', noon],
    ['2026-01-02T07:00:00-0500', noon],
    ['2026-01-02T14:00:00+02', noon],
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    [noon / 1000, noon],
    [noon / 1000 + 0.25, noon + 250],
    [noon, noon],
    [noon * 1000, noon],
    [noon * 1e6, noon],
    [String(noon), noon],
  ])('%j', (value, time) => {
    expect(parseTime(value)).toBe(time);
  });

  test.each([
    '',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-01-02T25:00:00Z',
    '2026-99-99T99:99:99.999Z',
    'x'.repeat(23).concat('Z'),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -5,
    1e25,
    null,
    {},
    undefined,
  ])('%j is no time', (value) => {
    expect(parseTime(value)).toBeUndefined();
  });
});
