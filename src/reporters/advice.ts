import type { Recommendation } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { formatCount, formatPercent, formatPercentRange, formatSignedPercent, formatUsd } from '../units.ts';
import { billOf, riskShare, verdictCell } from './columns.ts';

const head = [
  '',
  'policy',
  'cost',
  'saving',
  '95 % interval',
  'harness',
  'costs more in',
  'regret',
  'at risk',
  'verdict',
  'where to set it',
];

/** The table of a recommendation: the baseline, the row to set (●) and the rows beside it. */
export function adviceCells({ rows }: Result, { set, shown }: Recommendation): { head: string[]; lines: string[][] } {
  const baseline = rows.filter(({ isBaseline }) => isBaseline).map(({ label }) => ({ label, where: '' }));
  const lines = [...baseline, ...shown].flatMap(({ label, where }) => {
    const row = rows.find((candidate) => candidate.label === label);
    if (!row) return [];
    const { cheaper, equal, dearer } = row.sessions;
    return [
      [
        label === set ? '●' : '',
        label,
        formatUsd(billOf(row)),
        formatSignedPercent(row.saving),
        formatPercentRange(row.ci95),
        formatSignedPercent(row.savingRecordedMarkers),
        row.isBaseline ? '-' : `${formatCount(dearer)} of ${formatCount(cheaper + equal + dearer)}`,
        formatPercent(row.regret),
        formatPercent(riskShare(row.refetch)),
        verdictCell(row),
        where,
      ],
    ];
  });
  return { head, lines };
}
