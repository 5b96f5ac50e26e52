import { describe, expect, test } from 'vitest';
import { sweepOf } from '../../src/analysis/sweep.ts';
import type { Result, ResultRow } from '../../src/results/result.ts';
import { sampleResult, sampleRow } from '../reporters/sample.ts';

const sessions = { cheaper: 44, equal: 0, dearer: 0, neverFired: 0, unsendable: 0, notApplicable: 0, unpriced: 0 };
const full = sampleRow('full', { isBaseline: true });

function point(policy: string, params: ResultRow['params'], saving: number | null, covered = 44): ResultRow {
  const label = `${policy}:${Object.entries(params).map(([key, value]) => `${key}=${value}`)}`;
  return sampleRow(label, { policy, params, saving, sessions: { ...sessions, cheaper: covered } });
}

const over = (...rows: ResultRow[]): Result => sampleResult({ rows: [full, ...rows] });
const swept = (...rows: ResultRow[]) => {
  const [only] = sweepOf([{ name: '', result: over(...rows) }], 1).scenarios;
  if (!only) throw new Error('no scenario');
  return only;
};

describe('the best point', () => {
  test('saves most; as good is what lies within one hundredth of the bill', () => {
    const rows = [0.2, 0.195, 0.19, 0.1899, 0.05].map((saving, at) => point('elide', { recent_turns: at }, saving));
    expect(swept(...rows)).toMatchObject({
      best: 'elide:recent_turns=0',
      flat: ['elide:recent_turns=0', 'elide:recent_turns=1', 'elide:recent_turns=2'],
    });
  });

  test('is the first of equals', () => {
    expect(swept(point('a', { k: 1 }, 0.2), point('a', { k: 2 }, 0.2)).best).toBe('a:k=1');
  });

  test('is none that covers fewer sessions than others: an easier bill is no saving', () => {
    expect(swept(point('a', { k: 1 }, 0.9, 3), point('a', { k: 2 }, 0.1))).toMatchObject({
      best: 'a:k=2',
      flat: ['a:k=2'],
    });
  });

  test('is nothing that nobody can set, and nothing that was not compared', () => {
    expect(swept(point('recorded', {}, 0.9), point('optimum', {}, 0.9), point('a', { k: 1 }, null)).best).toBeNull();
  });
});

describe('axes and neighbours', () => {
  const grid = [0, 1, 2, 4].flatMap((full) =>
    [2, 10].map((slack) => point('bi', { full, slack, cap: 40 }, full === 2 && slack === 10 ? 0.3 : 0.1)),
  );

  test('settings that take several values, numbers by size', () => {
    expect(sweepOf([{ name: '', result: over(...[...grid].reverse()) }], 1).axes).toEqual([
      { policy: 'bi', name: 'full', keys: ['full'], values: [0, 1, 2, 4] },
      { policy: 'bi', name: 'slack', keys: ['slack'], values: [2, 10] },
    ]);
  });

  test('one step in one setting, never two', () => {
    expect(swept(...grid).neighbours).toEqual([
      { label: 'bi:full=1,slack=10,cap=40', axis: 'full', saving: 0.1 },
      { label: 'bi:full=2,slack=2,cap=40', axis: 'slack', saving: 0.1 },
      { label: 'bi:full=4,slack=10,cap=40', axis: 'full', saving: 0.1 },
    ]);
  });

  test('a setting that all members of a chain share is one axis', () => {
    const rows = [0, 1].map((turns) => point('heph', { 'elide.recent_turns': turns, 'fold.recent_turns': turns }, 0.1));
    const { axes, scenarios } = sweepOf([{ name: '', result: over(...rows) }], 1);
    expect(axes).toEqual([
      { policy: 'heph', name: 'recent_turns', keys: ['elide.recent_turns', 'fold.recent_turns'], values: [0, 1] },
    ]);
    expect(scenarios[0]?.neighbours).toHaveLength(1);
  });

  test('words stay in the order in which they were listed', () => {
    const rows = ['off', 'on'].map((terse) => point('a', { terse }, 0.1));
    expect(sweepOf([{ name: '', result: over(...rows.reverse()) }], 1).axes[0]?.values).toEqual(['on', 'off']);
  });
});

test('every setting of the provider has a best point of its own, by the label of the joined rows', () => {
  const [short, long] = [
    over(point('a', { k: 1 }, 0.2), point('a', { k: 2 }, 0.1)),
    over(point('a', { k: 1 }, 0.1), point('a', { k: 2 }, 0.2)),
  ];
  const { scenarios } = sweepOf(
    [
      { name: 'ttl=5m', result: short },
      { name: 'ttl=1h', result: long },
    ],
    1,
  );
  expect(scenarios.map(({ scenario, best }) => [scenario, best])).toEqual([
    ['ttl=5m', 'a:k=1 [ttl=5m]'],
    ['ttl=1h', 'a:k=2 [ttl=1h]'],
  ]);
});
