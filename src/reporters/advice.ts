import type { Recommendation } from '../results/index.ts';
import type { Result, ResultRow } from '../results/result.ts';
import { labels, names, numbers, type TextTable, tableOf, words } from '../text/index.ts';
import { formatCount, formatPercent, formatPercentRange, formatSignedPercent, formatUsd, unknown } from '../units.ts';
import { billOf, riskShare, verdictCell } from './columns.ts';
import { everyColumnInCsv } from './lines.ts';

/** What it loses where there is no room. */
const dropOrder = [['at risk'], ['regret'], ['harness'], ['95 % interval'], ['costs more in']];

/** A row, and where the setting is made. */
interface Advised {
  readonly row: ResultRow;
  readonly where: string;
}

/** The table of a recommendation: the baseline, the row to set (●) and the rows beside it. */
export function adviceTable({ rows }: Result, { set, shown }: Recommendation): TextTable {
  const baseline = rows.filter(({ isBaseline }) => isBaseline).map(({ label }) => ({ label, where: '' }));
  const advised = [...baseline, ...shown].flatMap(({ label, where }): Advised[] => {
    const row = rows.find((candidate) => candidate.label === label);
    return row ? [{ row, where }] : [];
  });
  return {
    ...tableOf(advised, [
      names('', ({ row }) => (row.label === set ? '●' : '')),
      labels('policy', ({ row }) => row.label),
      numbers('cost', ({ row }) => formatUsd(billOf(row))),
      numbers('saving', ({ row }) => formatSignedPercent(row.saving)),
      numbers('95 % interval', ({ row }) => formatPercentRange(row.ci95)),
      numbers('harness', ({ row }) => formatSignedPercent(row.savingRecordedMarkers)),
      numbers('costs more in', ({ row }) => dearerCell(row)),
      numbers('regret', ({ row }) => formatPercent(row.regret)),
      numbers('at risk', ({ row }) => formatPercent(riskShare(row))),
      labels('verdict', ({ row }) => verdictCell(row)),
      words('where to set it', ({ where }) => where),
    ]),
    drop: dropOrder,
    whole: everyColumnInCsv,
  };
}

function dearerCell({ isBaseline, sessions: { cheaper, equal, dearer } }: ResultRow): string {
  return isBaseline ? unknown : `${formatCount(dearer)} of ${formatCount(cheaper + equal + dearer)}`;
}
