import type { ResultRow } from '../results/result.ts';
import { formatSignedPercent, formatUsd } from '../units.ts';
import { statusOf } from './check-text.ts';
import { billOf, verdictCell } from './columns.ts';
import type { Reporter } from './reporter.ts';
import { junitText } from './xml.ts';

/** Verdicts that say that a row could not be compared. */
const unanswered = new Set<ResultRow['verdict']>(['unsendable', 'no baseline', 'not applicable', 'unpriced']);

/** A test case per row. A replay only reports: none of them fails. */
export const junit: Reporter = {
  name: 'junit',
  title: 'JUnit XML, a test case per row or check',
  extensions: ['.junit.xml', '.xml'],
  render(result) {
    const cases = result.rows.map((row) => ({
      name: row.label,
      group: 'ctxsim.replay',
      skipped: unanswered.has(row.verdict) ? row.verdict : undefined,
      output: [`cost ${formatUsd(billOf(row))}, saving ${formatSignedPercent(row.saving)}: ${verdictCell(row)}`],
    }));
    return junitText('ctxsim replay', cases);
  },
  renderCheck(check) {
    const cases = check.checks.map((outcome) => ({
      name: `${outcome.metric} of ${outcome.policy}, ${outcome.over}, ${outcome.bound}`,
      group: 'ctxsim.check',
      failure: statusOf(outcome) === 'FAIL' ? outcome.text : undefined,
      output: [`${statusOf(outcome)}: ${outcome.text}`, ...(outcome.status === 'failed' ? [check.answer] : [])],
    }));
    return junitText('ctxsim check', cases);
  },
};
