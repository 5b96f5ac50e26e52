import { expect, test } from 'vitest';
import type { ReadonlyState } from '../../src/policies/policy.ts';
import type { RateCard } from '../../src/providers/prices/rates.ts';
import { sessionOf, sonnet } from '../sessions.ts';
import { replaySeen } from './run.ts';

function ratiosUnder(card: RateCard): ReadonlyState['ratios'][] {
  const seen: ReadonlyState['ratios'][] = [];
  const policy = () => ({
    events: ['pre_request'] as const,
    on: (_event: string, state: ReadonlyState) => {
      seen.push(state.ratios);
      return undefined;
    },
  });
  replaySeen(sessionOf([{ prompt: 200, reply: 100, rounds: [] }]), { policy, card });
  return seen;
}

test('policies are told what reading and writing cost beside sending', () => {
  expect(ratiosUnder(sonnet)).toEqual([{ read: 0.3 / 3, write: 3.75 / 3 }]);
});

test('of a model without a price nobody knows it: all tokens count alike, and nothing is divided by zero', () => {
  const rates = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  const unpriced: RateCard = { ...sonnet, tiers: [{ abovePromptTokens: 0, rates }], unpriced: true };
  expect(ratiosUnder(unpriced)).toEqual([{ read: 1, write: 1 }]);
});
