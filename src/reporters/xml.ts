import { plain } from '../text/index.ts';

/** One test case of a JUnit report. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  /** Why it failed, in words; absent where it did not. */
  readonly failure?: string | undefined;
  /** Why it says nothing. */
  readonly skipped?: string | undefined;
  /** What was found, line by line. */
  readonly output: readonly string[];
}

/** A JUnit report of one suite, as GitLab, Jenkins and CircleCI read it. */
export function junitText(suite: string, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const name = attribute(suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${counts}>`,
    `  <testsuite name="${name}" ${counts}>`,
    ...cases.map(caseText),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseText({ name, group, failure, skipped, output }: TestCase): string {
  const lines = output.map(escapedText).join('\n');
  return [
    `    <testcase name="${attribute(name)}" classname="${attribute(group)}">`,
    ...(failure === undefined ? [] : [`      <failure message="${attribute(failure)}">${lines}</failure>`]),
    ...(skipped === undefined ? [] : [`      <skipped message="${attribute(skipped)}"/>`]),
    ...(failure === undefined && lines !== '' ? [`      <system-out>${lines}</system-out>`] : []),
    '    </testcase>',
  ].join('\n');
}

function attribute(text: string): string {
  return escapedText(text).replaceAll('"', '&quot;');
}

/** Control characters and halves of characters cannot stand in XML at all, not even escaped. */
function escapedText(text: string): string {
  return plain(text)
    .toWellFormed()
    .replace(/[\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
