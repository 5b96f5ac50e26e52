import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import { convertContentFree, convertFiles } from '../../src/run/convert.ts';
import { backtestFiles, type JobOptions, readFiles, replaySession } from '../../src/run/index.ts';
import type { ReadOptions } from '../../src/run/read.ts';
import { Findings } from '../../src/session/findings.ts';
import type { Session } from '../../src/session/session.ts';
import { readNativeLines } from '../native-lines.ts';
import { tempFolder } from '../temp.ts';
import { usualJob } from '../usual-job.ts';

const shared = process.env.CTXSIM_SHARED ?? new URL('../../../shared', import.meta.url).pathname;
const corpus = `${shared}/corpus`;

/** `CTXSIM_ALL=1` takes all presets on every session, which needs minutes, instead of on every `stride`-th. */
const takesAll = process.env.CTXSIM_ALL !== undefined;
const stride = takesAll ? 1 : 13;

const few = parsePolicies(['full', 'recorded', 'elide:recent_turns=0,1,2,4', 'heph', 'bi'], policies, presets);
const settings = ['elide:terse_success=on', 'mask:replacement=preview,line', 'truncate-ingest', 'turn-summary'];
const many = parsePolicies(['full', ...settings, ...presets.map(({ name }) => name)], policies, presets);
const prices = await loadPriceBook();
const job: JobOptions = {
  ...usualJob,
  rows: few,
  prices,
};

const reading = (folder: string, more: Partial<ReadOptions> = {}): ReadOptions => ({
  paths: [`${corpus}/${folder}`],
  cwd: corpus,
  findings: new Findings(),
  ...more,
});

async function sessionsOf(read: ReadOptions): Promise<Session[]> {
  const sessions: Session[] = [];
  for await (const file of readFiles(read)) sessions.push(...file.sessions);
  return sessions;
}

type Convert = typeof convertFiles;

async function convertedOf(convert: Convert, read: ReadOptions): Promise<Session[]> {
  const lines: string[] = [];
  for await (const session of convert(read, [])) lines.push(...session.lines);
  return readNativeLines(lines);
}

/** Ids that stand twice are told apart. */
function nameless(session: Session | undefined) {
  if (!session) return undefined;
  const { id: _id, ...rest } = session;
  return { ...rest, requests: rest.requests.map(({ id: _request, ...request }) => request) };
}

/** Everything that a replay says of a session but its names. */
async function outcomeOf(session: Session, options: JobOptions) {
  const {
    id: _id,
    parent: _parent,
    hasWords: _hasWords,
    ...outcome
  } = await replaySession(session, { file: '', format: '' }, options);
  return outcome;
}

async function expectSameBills(originals: readonly Session[], converted: readonly Session[], options: JobOptions) {
  expect(converted).toHaveLength(originals.length);
  for (const [at, original] of originals.entries()) {
    if (original.requests.length === 0) continue;
    const own = at % stride === 0 ? { ...options, rows: many } : options;
    expect(await outcomeOf(converted[at] as Session, own), original.id).toEqual(await outcomeOf(original, own));
  }
}

describe.each(['claude-code', 'codex', 'pi', 'edits'])('%s', (folder) => {
  test('with words, every session is the one that it was', async () => {
    const originals = await sessionsOf(reading(folder));
    const converted = await convertedOf(convertFiles, reading(folder));
    // Compared one by one: the difference of two corpora could not be printed.
    for (const [at, original] of originals.entries()) expect(nameless(converted[at])).toEqual(nameless(original));
  });

  test('without words, every session has the bill that it had', async () => {
    await expectSameBills(
      await sessionsOf(reading(folder)),
      await convertedOf(convertContentFree, reading(folder)),
      job,
    );
  });

  test.skipIf(folder === 'edits' && !takesAll)('without words, it is foretold as well or as badly', async () => {
    const file = join(tempFolder(), 'converted.jsonl');
    const lines: string[] = [];
    for await (const session of convertContentFree(reading(folder), [])) lines.push(...session.lines);
    writeFileSync(file, `${lines.join('\n')}\n`);
    const scores = async (paths: string[]) => {
      const { sessions, leftOut } = await backtestFiles(reading('', { paths }), prices);
      expect(leftOut).toEqual([]);
      return sessions.map(({ id: _id, file: _file, ...score }) => score);
    };
    expect(await scores([file])).toEqual(await scores([`${corpus}/${folder}`]));
  });
});

test('the request log', async () => {
  const map = {
    session: 'trace',
    time: 't_s',
    input: 'in',
    output: 'out',
    kind: 'input_types',
    prefix: 'tool_tokens+system_tokens',
  };
  const read = () => reading('request-log/claude-code-710-traces.csv.gz', { inputFormat: 'request-log', map });
  const originals = await sessionsOf(read());
  const sample = (sessions: readonly Session[]) => sessions.filter((_, at) => takesAll || at % 39 === 0);
  const options = { ...job, model: 'claude-sonnet-4-6' };
  await expectSameBills(sample(originals), sample(await convertedOf(convertContentFree, read())), options);
});
