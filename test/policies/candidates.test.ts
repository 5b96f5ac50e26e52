import { expect, test } from 'vitest';
import { candidates, parsePolicies, policies, presets } from '../../src/policies/index.ts';

const labelsOf = (policy: string) => parsePolicies([policy], policies, presets).map(({ label }) => label);

test('what is recommended can be set: every candidate is a policy and says where', () => {
  for (const { policy, where } of candidates) {
    expect(labelsOf(policy).length).toBeGreaterThan(0);
    expect(where).not.toBe('');
  }
});

test('at most sixty settings, each once', () => {
  const labels = candidates.flatMap(({ policy }) => labelsOf(policy));
  expect(labels.length).toBeLessThanOrEqual(60);
  expect(new Set(labels).size).toBe(labels.length);
  expect(
    parsePolicies(
      candidates.map(({ policy }) => policy),
      policies,
      presets,
    ),
  ).toHaveLength(labels.length);
});

test('the gentler setting of heph and of Bi comes first: more turns stay whole', () => {
  for (const [family, key] of [
    ['heph', 'elide.recent_turns'],
    ['bi', 'recent_turns_full'],
  ] as const) {
    const first = candidates.find((candidate) => candidate.family === family);
    const turns = parsePolicies([first?.policy ?? ''], policies, presets).map(({ settings }) => Number(settings[key]));
    expect(turns).toEqual(turns.toSorted((a, b) => b - a));
  }
});
