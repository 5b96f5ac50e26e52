import type { Result } from '../results/result.ts';
import { formatSignedPercent, unknown } from '../units.ts';

type BreakEven = NonNullable<Result['breakEven']>[number];

/** Where rows and the baseline change places: a head and one line per row, and a map of the row that has most to it. */
export function breakEvenTables(
  result: Result,
): { readonly title: string; readonly head: string[]; readonly rows: string[][] }[] {
  const { breakEven } = result;
  if (!breakEven || breakEven.length === 0) return [];
  const { baseline } = result.assumptions;
  const mapped = mappedRow(breakEven);
  return [
    {
      title: `Where rows and ${baseline} change places, all else equal (prices relative to fresh input; lifetimes relative to the provider's):`,
      head: [
        'policy',
        'saving',
        'read price',
        'even at',
        'write price',
        'even at',
        'lifetime even at',
        'further requests',
        'refetches each',
      ],
      rows: breakEven.map((each) => [
        each.label,
        formatSignedPercent(result.rows.find(({ label }) => label === each.label)?.saving),
        formatRatio(each.readRatio.now),
        formatRatio(each.readRatio.even),
        formatRatio(each.writeRatio.now),
        formatRatio(each.writeRatio.even),
        each.lifetimeEven.map(([low, high]) => `${low}–${high}×`).join(', ') || unknown,
        formatNumber(each.furtherRequests),
        formatNumber(each.refetchTimes),
      ]),
    },
    {
      title: `Saving of ${mapped.label} by the price of a read (down) and of a five-minute write (across):`,
      head: ['read', ...mapped.map.writeRatios.map((ratio) => `write ${ratio}`)],
      rows: mapped.map.readRatios.map((ratio, at) => [
        String(ratio),
        ...(mapped.map.savings[at] ?? []).map((saving) => formatSignedPercent(saving)),
      ]),
    },
  ];
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
