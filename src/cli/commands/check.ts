import { checkResult } from '../../analysis/index.ts';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { changedModels, withFrozenCards } from '../../providers/index.ts';
import type { PriceBook } from '../../providers/provider.ts';
import { reporters } from '../../reporters/index.ts';
import type { CheckRule } from '../../results/index.ts';
import type { Result } from '../../results/result.ts';
import { replayScenarios } from '../../run/index.ts';
import { shellCommand } from '../../shell.ts';
import { annotations } from '../annotations.ts';
import { maxIncreaseRule, maxRule, nameOfSession } from '../check-flags.ts';
import { findConfig } from '../config.ts';
import { type Io, nothingLeft, reportFindings, say } from '../io.ts';
import { type OutputFlags, outputsOf, usesGithub, writeOutputs, writeText } from '../outputs.ts';
import { nothingToReplay, type ReplayingFlags, replayPlan, rowNamed } from '../replay-plan.ts';
import { readResult } from '../stored-result.ts';

interface CheckFlags extends ReplayingFlags, OutputFlags {
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
  const updateCommand = commandFor(io, ['--update']);
  if (rules.some((rule) => rule.maxIncrease !== undefined || rule.maxDecrease !== undefined) && !flags.against)
    throw noReference();
  const reference = flags.against === undefined ? undefined : readResult(io, flags.against, updateCommand);
  const notices: string[] = [];
  const cards = reference?.basis?.cards;
  const { current, isWhole, left } = await runOf(io, paths, flags, (today) => {
    if (!reference || !cards) return today;
    notices.push(...priceNotices(today, reference, cards));
    return withFrozenCards(today, cards);
  });
  const result = checkResult({
    current,
    reference: reference && { file: flags.against ?? '', result: reference },
    rules,
    nameOf,
    notices,
    updateCommand,
    explainCommand: (policy, file) =>
      shellCommand(['ctxsim', 'explain', file, ...(policy === 'recorded' ? [] : ['--policy', policy])]),
  });
  await writeOutputs(io, outputs, (reporter, to) => reporter.renderCheck?.(result, { ...to, name: flags.name }) ?? '');
  if (usesGithub(outputs)) io.err(annotations(result));
  left();
  if (!result.passed) return exitCodes.checkFailed;
  if (isWhole) return exitCodes.done;
  say(io, 'could not answer: a check without the files named above would pass whatever they cost\n');
  return exitCodes.couldNotAnswer;
}

/** Writes the reference: the same run, at today's prices. Nothing is compared. */
async function update(io: Io, paths: readonly string[], flags: CheckFlags): Promise<number> {
  if (flags.against === undefined) throw noReference();
  const { current, isWhole, left } = await runOf(io, paths, flags, (today) => today);
  if (!isWhole) {
    left();
    throw new CtxsimError(
      'left-out',
      'a reference without the files named above would not notice them',
      'Mend them first.',
    );
  }
  writeText(io, flags.against, await reporters.get('json').render(current, { color: false }), '--against');
  if (!flags.quiet)
    say(io, `wrote ${flags.against}: ${current.corpus.sessions} sessions, ${current.rows.length} rows\n`);
  left();
  return exitCodes.done;
}

/** One row per policy, each with what its bills paid for. */
async function runOf(
  io: Io,
  paths: readonly string[],
  flags: CheckFlags,
  pricesOf: (today: PriceBook) => PriceBook,
): Promise<{ current: Result; isWhole: boolean; left: () => void }> {
  const named = flags.policy ?? ['recorded'];
  const specs = [];
  for (const policy of named) specs.push(await rowNamed(io, '--policy', policy));
  const { read, scenarios, meta } = await replayPlan(io, paths, flags, { specs, given: named }, pricesOf);
  const [scenario, another] = scenarios;
  if (!scenario || another) {
    throw new CtxsimError(
      'bad-list',
      'a check follows one bill per policy; --model, --breakpoints, --ttl, --service-tier and --region take one value each here',
      'Name one of each.',
    );
  }
  const isAsRecorded = flags.model === undefined && flags.cache === undefined && flags.ttl === 'recorded';
  const isRecording = specs.every(({ kind }) => kind.name === 'recorded');
  const job = {
    ...scenario.job,
    explain: 'parts' as const,
    billRecorded: isAsRecorded && scenario.job.breakpoints === undefined,
    // What was recorded had the markers of its harness; a policy of another kind gets those that it needs.
    breakpoints: scenario.job.breakpoints ?? (isRecording ? 'recorded' : undefined),
  };
  const { result, leftOut } = await replayScenarios(read, [{ name: '', job }], meta);
  const findings = read.findings.list();
  if (!result) throw nothingLeft(io, findings, leftOut, flags, nothingToReplay());
  return { current: result, isWhole: leftOut.length === 0, left: () => reportFindings(io, findings, leftOut, flags) };
}

/** Flags win over the configuration. */
function rulesOf(io: Io, { max, maxIncrease }: CheckFlags): readonly CheckRule[] {
  const given = [
    ...(max === undefined ? [] : [maxRule(max)]),
    ...(maxIncrease === undefined ? [] : [maxIncreaseRule(maxIncrease)]),
  ];
  const rules = given.length > 0 ? given : (findConfig(io)?.config.checks ?? []);
  if (rules.length > 0) return rules;
  throw new CtxsimError(
    'no-checks',
    'nothing says what is allowed',
    'Give --max-increase 2% or --max 0.40/turn, or "checks" in ctxsim.config.json.',
  );
}

function noReference(): CtxsimError {
  return new CtxsimError(
    'no-reference',
    'an increase needs something to be compared with',
    'Name the reference with --against FILE, which the same command with --update writes; --max needs none.',
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

function commandFor(io: Io, more: readonly string[]): string {
  return shellCommand(['ctxsim', ...io.argv, ...more]);
}
