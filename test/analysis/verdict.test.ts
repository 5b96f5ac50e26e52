import { describe, expect, it } from 'vitest';
import { type Evidence, verdictOf } from '../../src/analysis/index.ts';

const evidence = (saving: number | null, ci95: [number, number] | null, more: Partial<Evidence> = {}): Evidence => ({
  saving,
  ci95,
  compared: 44,
  neverFired: 0,
  applicable: 44,
  unsendable: 0,
  unpriced: 0,
  ...more,
});

describe('verdictOf', () => {
  it.each<[number, [number, number], string]>([
    [0.213, [0.198, 0.229], 'saves'],
    [0.01, [0.0001, 0.03], 'saves'],
    [-0.031, [-0.05, -0.01], 'costs more'],
    [-0.01, [-0.015, -0.001], 'costs more'],
    // Small, and surely small.
    [0.009, [0.005, 0.012], 'breaks even'],
    [0, [0, 0], 'breaks even'],
    [0.0099, [-0.02, 0.02], 'breaks even'],
    // Large enough, but the interval holds zero and is narrow.
    [0.012, [-0.001, 0.019], 'breaks even'],
    [0.012, [0, 0.02], 'breaks even'],
    // Nobody knows.
    [0.012, [-0.001, 0.021], 'unclear'],
    [0.05, [-0.03, 0.12], 'unclear'],
    [0.009, [0.001, 0.0201], 'unclear'],
    [-0.009, [-0.0201, 0.001], 'unclear'],
  ])('%d in %j: %s', (saving, ci95, verdict) => {
    expect(verdictOf(evidence(saving, ci95))).toBe(verdict);
  });

  it.each<[number, string]>([
    [0.01, 'saves'],
    [0.0099, 'breaks even'],
    [-0.0099, 'breaks even'],
    [-0.01, 'costs more'],
  ])('with too few sessions the point decides: %d is %s', (saving, verdict) => {
    expect(verdictOf(evidence(saving, null, { compared: 4 }))).toBe(verdict);
  });

  it('a policy that changed nothing never fired, whatever the numbers', () => {
    expect(verdictOf(evidence(0, [0, 0], { neverFired: 44 }))).toBe('never fired');
    expect(verdictOf(evidence(0, [0, 0], { neverFired: 43 }))).toBe('breaks even');
  });

  it('a row that compares with nothing is unsendable, or its baseline is', () => {
    expect(verdictOf(evidence(null, null, { compared: 0, unsendable: 44 }))).toBe('unsendable');
    expect(verdictOf(evidence(null, null, { compared: 0, unsendable: 43 }))).toBe('no baseline');
    expect(verdictOf(evidence(null, null, { compared: 0 }))).toBe('no baseline');
    expect(verdictOf(evidence(null, null))).toBe('unclear');
  });
});
