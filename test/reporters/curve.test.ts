import { describe, expect, test } from 'vitest';
import { curveTable, sweepGrid, sweepSentences } from '../../src/reporters/curve.ts';
import { gridTable } from '../../src/reporters/grid.ts';
import { table } from '../../src/reporters/table.ts';
import type { CrossValidation, Sweep } from '../../src/results/index.ts';
import { fittedTo } from '../../src/text/index.ts';
import { sampleResult, sampleRow } from './sample.ts';

const cross: CrossValidation = {
  families: 40,
  splits: 200,
  apparent: 0.215,
  honest: 0.193,
  picks: [
    { label: 'elide:recent_turns=0', times: 150 },
    { label: 'elide:recent_turns=1', times: 50 },
  ],
};
const swept: Sweep['scenarios'][number] = {
  scenario: '',
  best: 'elide:recent_turns=0',
  neighbours: [{ label: 'elide:recent_turns=4', axis: 'recent_turns', saving: -0.031 }],
  flat: ['elide:recent_turns=0'],
  crossValidation: cross,
};
const sweep: Sweep = { axes: [], scenarios: [swept] };

/** The baseline and two points whose names are as long as that. */
function resultOf(name: string) {
  const rows = [0.2, -0.1].map((saving, at) =>
    sampleRow(`${name}:k=${at}`, {
      policy: `${name}${at}`,
      saving,
      ci95: [saving - 0.01, saving + 0.01],
      verdict: 'saves',
    }),
  );
  return sampleResult({ rows: [sampleRow('full', { isBaseline: true }), ...rows], sweep });
}

describe('the curve', () => {
  test('says where the best point is, what is near it, and what the choice is worth', () => {
    expect(sweepSentences(sampleResult({ sweep }))).toEqual([
      'best ●: elide:recent_turns=0 at +21.3 %; one step away: elide:recent_turns=4 -3.1 %',
      'no other point is within 1 % of the bill of it',
      'picked on half of the sessions it saves 19.3 % on the other half (apparent: 21.5 %); picked in 200 splits: elide:recent_turns=0 150, elide:recent_turns=1 50',
    ]);
  });

  test('says of which setting of the provider it speaks, where there are several', () => {
    const scenarios = ['ttl=5m', 'ttl=1h'].map((scenario) => ({ ...swept, scenario }));
    const sentences = sweepSentences(sampleResult({ sweep: { axes: [], scenarios } }));
    expect(sentences.filter((sentence) => sentence.startsWith('ttl=1h: '))).toHaveLength(3);
  });

  test('loses the interval, then the cost, where a terminal has no room for bars; in a pipe nothing', () => {
    const heads = (name: string, width: number | undefined) =>
      fittedTo(curveTable(resultOf(name)), width)
        .columns.map(({ title }) => title)
        .slice(2, -1);
    expect(heads('a', 80)).toEqual(['cost', 'saving', '95 % interval', 'verdict']);
    expect(heads('a'.repeat(24), 80)).toEqual(['cost', 'saving', 'verdict']);
    expect(heads('a'.repeat(36), 80)).toEqual(['saving', 'verdict']);
    expect(heads('a'.repeat(36), undefined)).toEqual(['cost', 'saving', '95 % interval', 'verdict']);
  });

  test.each([80, 100, 200])('fits %d columns', (width) => {
    const out = table.render(resultOf('a'.repeat(20)), { width, color: false }) as string;
    const curve = out.split('\n').filter((line) => line.includes('│') || line.includes('verdict'));
    expect(curve).toHaveLength(3);
    for (const line of curve) expect(line.length).toBeLessThanOrEqual(width);
  });

  test('an escape sequence in a name does nothing', () => {
    expect(table.render(resultOf('\u001b[2J'), { color: false })).not.toContain('\u001b');
  });
});

test('a point that was not swept, or came to the same as another, is unknown in the grid, never zero', () => {
  const axes = ['x', 'y'].map((name) => ({ policy: 'a', name, keys: [name], values: [0, 1] }));
  const rows = [
    [0, 0, 0.1],
    [0, 1, -0.2],
    [1, 0, 0],
  ].map(([x = 0, y = 0, saving = 0]) => sampleRow(`a:x=${x},y=${y}`, { policy: 'a', params: { x, y }, saving }));
  const grid = sweepGrid(sampleResult({ rows, sweep: { axes, scenarios: [swept] } }));
  expect(grid?.head).toEqual(['x \\ y', '0', '1']);
  expect(grid && gridTable(grid).rows).toEqual([
    ['0', '+10.0 %', '-20.0 %'],
    ['1', '0.0 %', '-'],
  ]);
});
