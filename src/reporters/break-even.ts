import type { Result } from '../results/result.ts';
import { labels, numbers, type TextTable, tableOf } from '../text/index.ts';
import { formatSignedPercent, unknown } from '../units.ts';
import { gridTable } from './grid.ts';
import { allInJson } from './lines.ts';

type BreakEven = NonNullable<Result['breakEven']>[number];

/** What break-evens lose: what the session would have to be like, the lifetime, the prices of today. */
const dropOrder = [['refetches each'], ['further requests'], ['lifetime even at'], ['read price', 'write price']];

/** Where rows and the baseline change places: a line per row, and a map of the row that has most to it; nothing where that was not asked. */
export function breakEvenTables(result: Result): { readonly title: string; readonly table: TextTable }[] {
  const { breakEven, assumptions } = result;
  if (!breakEven || breakEven.length === 0) return [];
  const { label, map } = mappedRow(breakEven);
  return [
    {
      title: `Where rows and ${assumptions.baseline} change places, all else equal (prices relative to fresh input; lifetimes relative to the provider's):`,
      table: rowsTable(result, breakEven),
    },
    {
      title: `Saving of ${label} by the price of a read (down) and of a five-minute write (across):`,
      table: gridTable({
        head: ['read', ...map.writeRatios.map((ratio) => `write ${ratio}`)],
        rows: map.readRatios.map((ratio, at) => ({ name: String(ratio), savings: map.savings[at] ?? [] })),
      }),
    },
  ];
}

function rowsTable({ rows }: Result, breakEven: readonly BreakEven[]): TextTable {
  return {
    ...tableOf(breakEven, [
      labels('policy', ({ label }) => label),
      numbers('saving', (each) => formatSignedPercent(rows.find(({ label }) => label === each.label)?.saving)),
      numbers('read price', ({ readRatio }) => formatRatio(readRatio.now)),
      numbers('even at', ({ readRatio }) => formatRatio(readRatio.even)),
      numbers('write price', ({ writeRatio }) => formatRatio(writeRatio.now)),
      numbers('even at', ({ writeRatio }) => formatRatio(writeRatio.even)),
      numbers(
        'lifetime even at',
        ({ lifetimeEven }) => lifetimeEven.map(([low, high]) => `${low}–${high}×`).join(', ') || unknown,
      ),
      numbers('further requests', ({ furtherRequests }) => formatNumber(furtherRequests)),
      numbers('refetches each', ({ refetchTimes }) => formatNumber(refetchTimes)),
    ]),
    drop: dropOrder,
    whole: allInJson,
  };
}

/** The row whose sign the prices decide; without one the first. */
function mappedRow(breakEven: readonly BreakEven[]): BreakEven {
  const isDecided = ({ map }: BreakEven) => {
    const savings = map.savings.flat().filter((saving) => saving !== null);
    return savings.some((saving) => saving > 0) && savings.some((saving) => saving < 0);
  };
  return breakEven.find(isDecided) ?? (breakEven[0] as BreakEven);
}

function formatRatio(ratio: number | null): string {
  return ratio === null ? unknown : ratio.toFixed(3);
}

function formatNumber(value: number | null): string {
  return value === null ? unknown : value < 10 ? value.toFixed(1) : value.toFixed(0);
}
