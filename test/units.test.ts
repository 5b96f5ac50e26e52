import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatCounted,
  formatPause,
  formatPercent,
  formatPercentRange,
  formatSignedPercent,
  formatTokens,
  formatUsd,
} from '../src/units.ts';

describe('units', () => {
  it.each<[number | null | undefined, string]>([
    [0, '$0.00'],
    [0.0000042, '$0.0000042'],
    [0.0042, '$0.0042'],
    [0.1065, '$0.1065'],
    [0.99996, '$1.00'],
    [12.345, '$12.35'],
    [1234567.891, '$1,234,567.89'],
    [-0.5, '-$0.5000'],
    [null, '-'],
    [undefined, '-'],
    [Number.NaN, '-'],
  ])('%s dollars is %s', (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });

  it.each<[number, string]>([
    [0, '0'],
    [950, '950'],
    [999, '999'],
    [1000, '1.0k'],
    [4_512, '4.5k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [12_345_678, '12.3M'],
    [1_234_567_890, '1.2B'],
  ])('%d tokens is %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it('percent', () => {
    expect(formatPercent(0.2134)).toBe('21.3 %');
    expect(formatPercent(-0.0001)).toBe('0.0 %');
    expect(formatPercent(null)).toBe('-');
    expect(formatSignedPercent(0.2134)).toBe('+21.3 %');
    expect(formatSignedPercent(-0.031)).toBe('-3.1 %');
    expect(formatSignedPercent(0.0004)).toBe('0.0 %');
    expect(formatSignedPercent(undefined)).toBe('-');
    expect(formatPercentRange([-0.031, 0.229])).toBe('-3.1 to 22.9 %');
    expect(formatPercentRange(null)).toBe('-');
  });

  it('counts', () => {
    expect(formatCount(5034)).toBe('5,034');
    expect(formatCount(null)).toBe('-');
    expect(formatCounted(1, 'session')).toBe('1 session');
    expect(formatCounted(44, 'session')).toBe('44 sessions');
  });

  it.each<[number | null, string]>([
    [0, '0 s'],
    [59_400, '59 s'],
    [59_500, '1 min'],
    [3_569_000, '59 min'],
    [3_570_000, '1.0 h'],
    [86_400_000, '1.0 d'],
    [null, '-'],
  ])('a pause of %s ms is %s', (milliseconds, text) => {
    expect(formatPause(milliseconds)).toBe(text);
  });
});
