import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadPriceBook } from '../../../src/providers/prices/index.ts';
import { type PriceSnapshot, priceSnapshot } from '../../../src/providers/prices/snapshot.ts';

const stored: PriceSnapshot = JSON.parse(readFileSync('reports/prices.json', 'utf8'));

/** What stands in one and not, or otherwise, in the other: `name: was -> is`. */
function changes(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const text = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [text(before[name]), text(after[name])];
    return was === is ? [] : [`${name}: ${was} -> ${is}`];
  });
}

it('names what changed, and from what to what', () => {
  expect(changes({ a: [1], b: [2] }, { b: [3], c: [4] })).toEqual([
    'a: [1] -> nothing',
    'b: [2] -> [3]',
    'c: nothing -> [4]',
  ]);
});

it('every price is the one that was reviewed; where it should change, write reports/prices.json with: npm run prices', async () => {
  const { cards, services, ...sources } = priceSnapshot(await loadPriceBook());
  expect([
    ...changes(stored.cards, cards),
    ...changes(stored.services, services),
    ...changes({ package: stored.package, overlay: stored.overlay }, sources),
  ]).toEqual([]);
});

it('holds every date of every model', () => {
  expect(Object.keys(stored.cards).length).toBeGreaterThan(340);
  expect(stored.cards['claude-sonnet-5-5@2026-09-28']?.rates).toEqual({ 0: [2, 0.2, 2.5, 4, 10] });
  expect(stored.cards['claude-sonnet-5-5@2026-10-07']?.rates).toEqual({ 0: [2, 0.1, 2.5, 4, 10] });
  expect(stored.cards['gpt-5.5@launch']?.rates).toEqual({ 0: [5, 0.5, 5, 5, 30], 272000: [10, 1, 10, 10, 45] });
});
