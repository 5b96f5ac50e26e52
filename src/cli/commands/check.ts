import { checkResult } from '../../analysis/index.ts';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { changedModels, withFrozenCards } from '../../providers/index.ts';
import type { PriceBook } from '../../providers/provider.ts';
import { reporters } from '../../reporters/index.ts';
import type { CheckResult, CheckRule } from '../../results/index.ts';
import type { Result } from '../../results/result.ts';
import { replayScenarios } from '../../run/index.ts';
import { shellCommand } from '../../shell.ts';
import { formatCounted, formatPercent } from '../../units.ts';
import { annotations } from '../annotations.ts';
import { maxIncreaseRule, maxRule, nameOfSession, withFlagRules } from '../check-flags.ts';
import { findConfig } from '../config.ts';
import { type Io, nothingLeft, reportFindings, say } from '../io.ts';
import { type OutputFlags, type Outputs, outputsOf, usesGithub, writeOutputs, writeText } from '../outputs.ts';
import {
  nothingToReplay,
  onlyScenario,
  type ReplayingFlags,
  type ReplayPlan,
  replayPlan,
  rowNamed,
} from '../replay-plan.ts';
import { readResult } from '../stored-result.ts';
import { type ThreadFlags, withThreads } from '../threads.ts';
import { writeWhole } from '../whole-file.ts';

interface CheckFlags extends ReplayingFlags, OutputFlags, ThreadFlags {
  readonly policy?: readonly string[];
  readonly against?: string;
  readonly update?: boolean;
  readonly maxIncrease?: string;
  readonly max?: string;
  readonly match?: string;
  readonly name?: string;
}

/** `ctxsim check`: compare with a stored result and with budgets; or, with --update, write what will be compared with. */
export async function check(io: Io, paths: readonly string[], flags: CheckFlags): Promise<number> {
  const outputs = outputsOf(flags, ({ renderCheck }) => renderCheck !== undefined);
  const nameOf = nameOfSession(flags.match);
  if (flags.update) return update(io, paths, flags);
  const rules = rulesOf(io, flags);
  const relative = rules.find((rule) => rule.maxIncrease !== undefined || rule.maxDecrease !== undefined);
  if (relative && !flags.against) throw noReference(relative);
  const plan = await planCheck(io, paths, flags);
  const { reference } = plan;
  const { current, isWhole, left } = await runOf(io, paths, flags, plan);
  const result = checkResult({
    current,
    reference: reference && { file: flags.against ?? '', result: reference },
    rules,
    nameOf,
    notices: plan.notices,
    updateCommand: updateCommand(io),
    explainCommand: (policy, file) =>
      shellCommand(['ctxsim', 'explain', file, ...(policy === 'recorded' ? [] : ['--policy', policy])]),
  });
  await writeOutputs(io, outputs, (reporter, to) => reporter.renderCheck?.(result, { ...to, name: flags.name }) ?? '');
  if (usesGithub(outputs)) io.err(annotations(result));
  else if (outputs.files.length > 0 && !flags.quiet) say(io, summaryOf(result, outputs));
  left();
  if (!result.passed) return exitCodes.checkFailed;
  if (isWhole) return exitCodes.done;
  say(io, 'could not answer: a check without the files named above would pass whatever they cost\n');
  return exitCodes.couldNotAnswer;
}

/** What a log says where the result went into files: whether it passed, what did not, and where it stands. */
function summaryOf({ answer, checks }: CheckResult, { files }: Outputs): string {
  const failed = checks.flatMap(({ status, level, text }) =>
    status === 'passed' ? [] : [`${level === 'warn' ? 'warn' : 'FAIL'}  ${text}`],
  );
  return [answer, ...failed, `written to ${files.map(({ file }) => file).join(', ')}`, ''].join('\n');
}

/** Writes the reference: the same run, at today's prices. Nothing is compared. */
async function update(io: Io, paths: readonly string[], flags: CheckFlags): Promise<number> {
  if (flags.against === undefined) throw noReference();
  const { current, isWhole, left } = await runOf(io, paths, flags, await planCheck(io, paths, flags));
  if (!isWhole) {
    left();
    throw new CtxsimError(
      'left-out',
      'a reference without the files named above would not notice them',
      'Mend them first.',
    );
  }
  writeText(io, flags.against, await reporters.get('json').render(current, { color: false }), '--against', writeWhole);
  if (!flags.quiet)
    say(
      io,
      `wrote ${flags.against}: ${formatCounted(current.corpus.sessions, 'session')}, ${formatCounted(current.rows.length, 'row')}\n`,
    );
  left();
  return exitCodes.done;
}

/** What is replayed, and what it is compared with. */
interface CheckPlan extends ReplayPlan {
  /** Undefined where there is nothing to compare with, or where it is about to be written. */
  readonly reference: Result | undefined;
  readonly notices: readonly string[];
}

/** One row per policy, each with what its bills paid for, at the prices of the reference. */
export async function planCheck(io: Io, paths: readonly string[], flags: CheckFlags): Promise<CheckPlan> {
  const reference =
    flags.against === undefined || flags.update ? undefined : readResult(io, flags.against, updateCommand(io));
  const cards = reference?.basis?.cards;
  const notices: string[] = [];
  const named = flags.policy ?? ['recorded'];
  const specs = [];
  for (const policy of named) specs.push(await rowNamed(io, '--policy', policy));
  const plan = await replayPlan(io, paths, flags, { specs, given: named }, (today) => {
    if (!reference || !cards) return today;
    notices.push(...priceNotices(today, reference, cards));
    return withFrozenCards(today, cards);
  });
  const { job } = onlyScenario(plan, 'check');
  const isAsRecorded = flags.model === undefined && flags.cache === undefined && flags.ttl === 'recorded';
  const isRecording = specs.every(({ kind }) => kind.name === 'recorded');
  const checked = {
    ...job,
    explain: 'parts' as const,
    billRecorded: isAsRecorded && job.breakpoints === undefined,
    // What was recorded had the markers of its harness; a policy of another kind gets those that it needs.
    breakpoints: job.breakpoints ?? (isRecording ? 'recorded' : undefined),
  };
  return { ...plan, scenarios: [{ name: '', job: checked }], reference, notices };
}

async function runOf(
  io: Io,
  paths: readonly string[],
  flags: CheckFlags,
  plan: ReplayPlan,
): Promise<{ current: Result; isWhole: boolean; left: () => void }> {
  const { result, leftOut } = await withThreads(io, { command: 'check', paths, flags }, plan.read, (executor) =>
    replayScenarios({ ...plan, executor }),
  );
  const findings = plan.read.findings.list();
  if (!result) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  return { current: result, isWhole: leftOut.length === 0, left: () => reportFindings(io, findings, leftOut, flags) };
}

/** The rules of the configuration and those of flags, which win. */
function rulesOf(io: Io, { max, maxIncrease }: CheckFlags): readonly CheckRule[] {
  const given = [
    ...(max === undefined ? [] : [maxRule(max)]),
    ...(maxIncrease === undefined ? [] : [maxIncreaseRule(maxIncrease)]),
  ];
  const configured = findConfig(io)?.config.checks ?? [];
  const rules = given.length > 0 ? withFlagRules(configured, given) : configured;
  if (rules.length > 0) return rules;
  throw new CtxsimError(
    'no-checks',
    'nothing says what is allowed',
    'Give --max-increase 2% or --max 0.40/turn, or "checks" in ctxsim.config.json.',
  );
}

/** `rule`: the one that compares, of a flag or of the configuration; without one, --update has nowhere to write. */
function noReference(rule?: CheckRule): CtxsimError {
  const bound = rule?.maxIncrease === undefined ? 'maxDecrease' : 'maxIncrease';
  return new CtxsimError(
    'no-reference',
    rule
      ? `the rule ${rule.metric}, ${bound} ${formatPercent(rule[bound])}, has nothing to be compared with`
      : '--update has nowhere to write',
    'Name the reference with --against FILE, which --update writes. Rules are those of --max-increase, and "checks" in ctxsim.config.json; --max needs no reference.',
  );
}

/** Prices that are no longer those of the reference change nothing until it is written anew; that they did is said. */
function priceNotices(today: PriceBook, { digest }: Result, cards: Parameters<typeof changedModels>[1]): string[] {
  if (today.id === digest.prices) return [];
  const models = changedModels(today, cards);
  return [
    models.length === 0
      ? `Prices are newer than the reference's (${today.id}; then ${digest.prices}), and the same for its models.`
      : `Prices of ${models.join(', ')} have changed since the reference: both sides are billed at those of ${digest.prices}, until --update takes today's (${today.id}).`,
  ];
}

function updateCommand(io: Io): string {
  return shellCommand(['ctxsim', ...io.argv, '--update']);
}
