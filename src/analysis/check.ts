import { CtxsimError } from '../errors.ts';
import type { CheckedRow, CheckedSession, CheckResult, CheckRule } from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { formatCount, formatCounted } from '../units.ts';
import { checkAnswer } from './check-answer.ts';
import { addCauses, causesOf, scaleOf } from './check-causes.ts';
import { applyRule, type RowPair } from './check-rules.ts';
import { otherConditions, refuseOtherFlags, refuseOtherRules, rowBefore, type Side, sideOf } from './check-sides.ts';
import { distinct } from './distinct.ts';
import { type Measured, measureRow, type NameOf, pool } from './measured.ts';
import { sumOf } from './sum.ts';

/** What is checked, against what, by which rules. */
export interface CheckInput {
  readonly current: Result;
  readonly reference?: { readonly file: string; readonly result: Result } | undefined;
  readonly rules: readonly CheckRule[];
  readonly nameOf: NameOf;
  /** What is to be said besides, such as changed prices. */
  readonly notices: readonly string[];
  /** Writes a reference that this run compares with. */
  readonly updateCommand: string;
  /** Shows where the money of a file goes under a policy. */
  readonly explainCommand: (policy: string, file: string) => string;
}

/**
 * Compares a run with a stored one, scenario by scenario, and applies the rules.
 * @throws CtxsimError where the two do not compare, or a rule finds nothing to look at.
 */
export function checkResult(input: CheckInput): CheckResult {
  const { current, reference } = input;
  const now = sideOf(current, 'this run', input.updateCommand);
  const before = reference && sideOf(reference.result, reference.file, input.updateCommand);
  if (before) {
    refuseOtherRules(now.basis, before.basis, reference.file, input.updateCommand);
    refuseOtherFlags(now, before, reference.file, input.updateCommand);
  }
  const pairs = now.rows.map((row, index) =>
    pairOf(input, now, index, before, before && rowBefore(row, now, before, reference.file, input.updateCommand)),
  );
  const rows = pairs.map((pair) => rowOf(pair, input));
  const [first] = pairs;
  const missing = (of: ReadonlyMap<string, unknown> | undefined, from: ReadonlyMap<string, unknown> | undefined) =>
    from ? [...(of?.keys() ?? [])].filter((name) => !from.has(name)) : [];
  const vanished = missing(first?.reference, first?.found);
  const added = missing(first?.found, first?.reference);
  const checks = input.rules.flatMap((rule) => {
    const meant = pairs.filter(
      ({ policy, label }) => rule.policy === undefined || [policy, label].includes(rule.policy),
    );
    if (meant.length === 0) throw noSuchRow(rule.policy ?? '', pairs);
    return meant.flatMap((pair) => applyRule(rule, pair));
  });
  const passed = checks.every(({ status, level }) => status === 'passed' || level === 'warn');
  const result = {
    schema: 'ctxsim.check/1' as const,
    passed,
    reference: reference?.file ?? null,
    checks,
    rows: rows.map(({ row }) => row),
    vanished,
    added,
    notices: [
      ...input.notices,
      ...(before ? otherConditions(now, before) : []),
      ...rows.flatMap(({ notices }) => notices),
      ...changedSessions(vanished, added),
    ],
    digest: current.digest,
  };
  return { ...result, answer: checkAnswer(result) };
}

interface Pair extends RowPair {
  readonly referenceLabel: string | null;
  /** Sessions that neither side has a bill of. */
  readonly unsent: readonly string[];
}

function pairOf(input: CheckInput, now: Side, row: number, before: Side | undefined, rowThen = 0): Pair {
  const { given, label = '' } = now.rows[row] ?? {};
  const policy = given ?? label;
  const found = measureRow(now.outcomes, row, input.nameOf);
  const reference = before && measureRow(before.outcomes, rowThen, input.nameOf);
  const lost = [
    ...found.unsent.filter((name) => !reference || reference.measured.has(name)),
    ...newlyUnpriced(found.measured, reference?.measured),
  ];
  if (lost.length > 0) {
    throw new CtxsimError(
      'not-comparable',
      `under ${policy} nothing can be said of ${lost.join(', ')}: it is too long for the window, lacks what the policy needs or has no price`,
      'Replay the same paths and policies to see it; --window, --prices or other sessions may help.',
    );
  }
  if (reference && ![...found.measured.keys()].some((name) => reference.measured.has(name))) {
    throw new CtxsimError(
      'nothing-to-check',
      `no session is in both: ${input.reference?.file} has ${list([...reference.measured.keys()])}, this run ${list([...found.measured.keys()])}`,
      `Sessions are matched by the names of their files; --match decides otherwise. A new reference: ${input.updateCommand}`,
    );
  }
  return {
    policy,
    label,
    found: found.measured,
    reference: reference?.measured,
    referenceLabel: before?.rows[rowThen]?.label ?? null,
    unsent: found.unsent,
  };
}

/** Sessions of which a part has no price that had one, or was not there: they would pass for cheaper. */
function newlyUnpriced(found: RowPair['found'], reference: RowPair['reference']): string[] {
  return [...found.values()].flatMap(({ name, unpriced }) => {
    const before = reference?.get(name);
    return before && unpriced.some((model) => !before.unpriced.includes(model)) ? [name] : [];
  });
}

function rowOf(pair: Pair, { explainCommand }: CheckInput): { row: CheckedRow; notices: string[] } {
  const both = [...pair.found.values()].flatMap((found) => {
    const reference = pair.reference?.get(found.name);
    return reference ? [{ found, reference, causes: causesOf(found, reference) }] : [];
  });
  const sessions = both
    .map(({ found, reference, causes }): CheckedSession => {
      const cause = causes[0];
      return {
        name: found.name,
        file: found.file,
        turns: found.turns,
        requests: found.requests,
        referenceTurns: reference.turns,
        referenceUsd: reference.usd,
        usd: found.usd,
        difference: found.usd - reference.usd * scaleOf(found, reference),
        cause: cause && cause.difference > 0 ? cause : null,
        command: explainCommand(pair.policy, found.file),
      };
    })
    .sort((a, b) => b.difference - a.difference);
  const row = {
    policy: pair.policy,
    label: pair.label,
    referenceLabel: pair.referenceLabel,
    recorded: sumOf([...pair.found.values()].map(({ recorded }) => recorded)),
    usd: pool(pair.reference ? both.map(({ found }) => found) : [...pair.found.values()]).usd,
    referenceUsd: pair.reference ? pool(both.map(({ reference }) => reference)).usd : null,
    causes: addCauses(both.flatMap(({ causes }) => causes)),
    sessions,
  };
  return { row, notices: [...unbilled(pair), ...noticesOf(pair.policy, both), ...brokenPrefixes(row)] };
}

/** What is in no bill. */
function unbilled({ policy, found, unsent }: Pair): string[] {
  const models = distinct([...found.values()].flatMap(({ unpriced }) => unpriced));
  return [
    ...(unsent.length > 0
      ? [`${policy}: not checked, as it could not be sent, or has no price: ${list(unsent)}.`]
      : []),
    ...(models === ''
      ? []
      : [`${policy}: no price is known of ${models}, whose tokens are in no bill (--prices FILE gives prices).`]),
  ];
}

/** What the two sides cannot say of each other. */
function noticesOf(policy: string, both: readonly { found: Measured; reference: Measured }[]): string[] {
  const otherwise = both.filter(({ found, reference }) => found.recorded > 0 !== reference.recorded > 0).length;
  const causeless = both.filter(({ reference }) => !reference.parts).length;
  return [
    ...(otherwise > 0
      ? [
          `${policy}: of ${formatCounted(otherwise, 'session')} one side is billed by what was recorded, the other by a replay; they may differ by a few per cent for that.`,
        ]
      : []),
    ...(causeless > 0
      ? [`${policy}: the reference does not say what its bills paid for; one that ctxsim check --update writes does.`]
      : []),
  ];
}

/** Of so many of its requests a harness that breaks its own prefix loses what was cached; evictions are rarer. */
const brokenShare = 0.5;

/** Names sessions that lost their prefix in most requests: no cache does that by itself. */
function brokenPrefixes({ sessions }: CheckedRow): string[] {
  const broken = sessions.flatMap(({ name, requests, cause }) =>
    cause?.label.startsWith(lostPrefix) && cause.times >= brokenShare * requests
      ? [`${name} (in ${formatCount(cause.times)} of ${formatCounted(requests, 'request')})`]
      : [],
  );
  if (broken.length === 0) return [];
  return [
    `The recorded prefix broke again and again: ${list(broken)}. Something near its start changes each time: a time, an id, the order of a list.`,
  ];
}

const lostPrefix = 'sent again: lost before its time';

function changedSessions(vanished: readonly string[], added: readonly string[]): string[] {
  return [
    ...(vanished.length > 0 ? [`Only in the reference, and not compared: ${list(vanished)}.`] : []),
    ...(added.length > 0 ? [`Not in the reference, and not compared: ${list(added)}.`] : []),
  ];
}

const listed = 10;

function list(names: readonly string[]): string {
  const more = names.length - listed;
  return `${names.slice(0, listed).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

function noSuchRow(policy: string, pairs: readonly RowPair[]): CtxsimError {
  return new CtxsimError(
    'nothing-to-check',
    `a rule is for policy ${policy}, which is not checked here`,
    `Checked are: ${pairs.map((pair) => pair.policy).join(', ')}; name others with --policy.`,
  );
}
