import { plain } from '../text/index.ts';
import { formatSignedPercent } from '../units.ts';
import { billOf, verdictCell } from './columns.ts';
import type { Reporter } from './reporter.ts';

/** What github-action-benchmark draws as a history (`tool: customSmallerIsBetter`): the cost of each row that has one. */
export const benchmarkJson: Reporter = {
  name: 'benchmark-json',
  title: 'Costs for github-action-benchmark (customSmallerIsBetter)',
  extensions: ['.bench.json'],
  render(result) {
    const entries = result.rows.flatMap((row) => {
      const value = billOf(row);
      const extra = `saving ${formatSignedPercent(row.saving)}, ${verdictCell(row)}`;
      return value === null ? [] : [{ name: plain(row.label), unit: 'USD', value, extra }];
    });
    return `${JSON.stringify(entries, null, 2)}\n`;
  },
};
