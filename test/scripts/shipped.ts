import { fileURLToPath } from 'node:url';
import { type RunMeta, summarize } from '../../src/analysis/index.ts';
import { parsePolicies, policies } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/prices/index.ts';
import type { Result } from '../../src/results/result.ts';
import { type JobOptions, replaySession } from '../../src/run/job.ts';
import { readFiles } from '../../src/run/read.ts';
import { replayFiles } from '../../src/run/replay-files.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { Findings } from '../../src/session/findings.ts';
import { addRecord, factsOf, type NativeRecord } from '../../src/session/native.ts';
import { promptBlocks } from '../../src/session/opening.ts';
import type { Session } from '../../src/session/session.ts';
import { promptTokens } from '../../src/session/usage.ts';
import { estimateTokens, loadTokenCounter, measureSession } from '../../src/tokens/index.ts';
import { usualJob } from '../usual-job.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rows = parsePolicies(['full', 'elide:recent_turns=0,1,2,4'], policies);
const prices = await loadPriceBook();
const job: JobOptions = {
  ...usualJob,
  rows,
  prices,
};
const meta: RunMeta = {
  rows: rows.map(({ kind, settings, label }) => ({ policy: kind.name, params: settings, label })),
  baseline: 0,
  version: 'test',
  prices: prices.id,
  seed: 1,
  ttl: 'recorded',
  service: prices.service,
  expectsLosses: false,
  outputReserve: 32_000,
  pricedAt: "each session's own date",
};

/** Replays shipped files as the command line does without options. */
export async function replayShipped(glob: string): Promise<Result> {
  const { result } = await replayFiles({ paths: [glob], cwd: root, findings: new Findings() }, job, meta);
  if (!result) throw new Error(`${glob} holds nothing to replay`);
  return result;
}

/** Replays generated content-free sessions; only the best markers, which is all that is asked of them. */
export async function replayRecords(sessions: readonly (readonly unknown[])[]): Promise<Result> {
  const outcomes = [];
  for (const records of sessions) {
    const session = sessionOf(records as readonly NativeRecord[]);
    outcomes.push(
      await replaySession(session, { file: session.id, format: 'native' }, { ...job, breakpoints: 'anchor' }),
    );
  }
  return summarize(outcomes, { ...meta, findings: [], leftOut: 0 });
}

function sessionOf([header, ...records]: readonly NativeRecord[]): Session {
  if (header?.type !== 'session') throw new Error('a session begins with its header');
  const builder = new SessionBuilder();
  for (const record of records) if (record.type !== 'session') addRecord(builder, record);
  return builder.build(factsOf(header));
}

/** Sizes of each session of the files, in the model's tokens. */
export async function sizesOf(glob: string) {
  const sizes = [];
  for await (const { sessions } of readFiles({ paths: [glob], cwd: root, findings: new Findings() })) {
    for (const session of sessions) sizes.push(sizeOf(measureSession(session, await loadTokenCounter())));
  }
  return sizes;
}

function sizeOf(measured: Session) {
  const { session, blocks } = estimateTokens(measured);
  const prompts = session.requests.map((_, at) =>
    promptBlocks(session, at).reduce((sum, block) => sum + (blocks[block] ?? 0), 0),
  );
  const recorded = session.requests.flatMap(({ usage }) => (usage ? [promptTokens(usage)] : []));
  const history = session.blocks.slice(0, session.turns.at(-1)?.firstBlock).filter(({ kind }) => kind !== 'system');
  const kept = history.filter(({ kind }) => kind !== 'result');
  const stubs = history.reduce((sum, { size }) => sum + (size?.derived?.stub ?? 0), 0);
  return {
    prompts,
    largestPrompt: Math.max(...prompts),
    recordedPrompts: recorded.length > 0 ? recorded : undefined,
    longestPauseSeconds: longestPause(session) / 1000,
    /** Finished turns when the last one starts, all results being stubs. */
    elidedHistory: kept.reduce((sum, { size }) => sum + (size?.tokens ?? 0), stubs),
    /** Stubs not counted. */
    elidedHistoryChars: kept.reduce((sum, { size }) => sum + (size?.chars ?? 0), 0),
  };
}

function longestPause({ requests }: Session): number {
  const times = requests.map(({ time }) => time ?? Number.NaN);
  return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? Number.NaN)));
}
