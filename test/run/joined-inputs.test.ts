import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../src/run/read.ts';
import { Findings } from '../../src/session/findings.ts';
import { compareText, humanTurns, type Session } from '../../src/session/index.ts';
import { addUsage, zeroUsage } from '../../src/session/usage.ts';
import { formatSamples } from '../contracts/format-samples.ts';
import { assistant, call, result, text, usage, user } from '../formats/claude-code/transcript.ts';
import { tempFolder } from '../temp.ts';

type Lines = readonly object[];

/** Files by their path below the folder of a project. */
type Files = Readonly<Record<string, Lines>>;

const start = Date.UTC(2026, 0, 1);
const root = tempFolder();
let folders = 0;

function textOf(lines: Lines): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function read(files: Readonly<Record<string, string | Uint8Array>>, paths?: readonly string[]) {
  const cwd = join(root, String(++folders));
  for (const [name, content] of Object.entries(files)) {
    const file = join(cwd, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const findings = new Findings();
  const sessions: Session[] = [];
  for await (const file of readFiles({ paths: paths ?? ['.'], cwd, findings })) {
    if (file.error) throw file.error;
    sessions.push(...file.sessions);
  }
  return { sessions, findings };
}

const apart = (files: Files) => read(Object.fromEntries(Object.entries(files).map(([name, it]) => [name, textOf(it)])));
const joined = (lists: readonly Lines[]) => read({ 'all.jsonl': lists.map(textOf).join('') });

/** All that a bill depends on, by session. */
function facts(sessions: readonly Session[]) {
  return sessions
    .map((session) => ({ ...session, requests: session.requests.map((request) => ({ ...request })) }))
    .sort((a, b) => compareText(a.id, b.id));
}

/** One session with a number of turns, each with a number of calls, and its sub-agents. */
interface Shape {
  readonly turns: readonly number[];
  readonly agents: number;
  /** The relay's one id for all answers. */
  readonly hasRelay: boolean;
}

function lines(id: string, shape: Shape, hour: number, agent?: string): object[] {
  let line = 0;
  let parent: string | null = null;
  const made: object[] = [];
  const more = () => ({
    sessionId: id,
    timestamp: new Date(start + hour * 3_600_000 + line * 5000).toISOString(),
    ...(agent === undefined ? {} : { isSidechain: true, agentId: agent }),
  });
  const add = (make: (uuid: string, parent: string | null, more: object) => object) => {
    line += 1;
    const uuid = `${id}-${agent ?? 'main'}-${line}`;
    made.push(make(uuid, parent, more()));
    parent = uuid;
  };
  const answer = (block: object) =>
    add((uuid, above, fields) => ({
      ...assistant(
        uuid,
        above,
        shape.hasRelay ? 'relay' : `m-${uuid}`,
        block as never,
        usage(3, line, 1000 * line, 40 + line),
      ),
      ...fields,
      ...(shape.hasRelay ? { requestId: undefined } : { requestId: `req-${uuid}` }),
    }));
  for (const [turn, calls] of shape.turns.entries()) {
    add((uuid, above, fields) => user(uuid, above, `prompt ${turn}`, fields as never));
    for (let at = 0; at < calls; at += 1) {
      const callId = `t-${id}-${agent}-${line}`;
      answer(call(callId));
      add((uuid, above, fields) => result(uuid, above as string, callId, 'ok', fields as never));
    }
    answer(text('Done.'));
  }
  return made;
}

function filesOf(shapes: readonly Shape[]): Files {
  const files: Record<string, Lines> = {};
  for (const [at, shape] of shapes.entries()) {
    const id = `session${at}`;
    files[`${id}.jsonl`] = lines(id, shape, 10 * at);
    for (let agent = 0; agent < shape.agents; agent += 1)
      files[`${id}/subagents/agent-a${agent}.jsonl`] = lines(
        id,
        { ...shape, turns: [1, 2] },
        10 * at + 1 + agent,
        `a${agent}`,
      );
  }
  return files;
}

const shape = fc.record({
  turns: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
  agents: fc.nat({ max: 2 }),
  hasRelay: fc.boolean(),
});

describe('sessions of Claude Code that are joined into one stream', () => {
  test('are those of the files apart, in whatever order the files were joined', async () => {
    const property = fc.asyncProperty(
      fc
        .array(shape, { minLength: 1, maxLength: 4 })
        .map(filesOf)
        .chain((files) =>
          fc.record({
            files: fc.constant(files),
            order: fc.shuffledSubarray(Object.keys(files), { minLength: Object.keys(files).length }),
          }),
        ),
      async ({ files, order }) => {
        const expected = await apart(files);
        const { sessions, findings } = await joined(order.map((name) => files[name] as Lines));
        expect(facts(sessions)).toEqual(facts(expected.sessions));
        expect(findings.list()).toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  test('are read from an archive of gzip members as well', async () => {
    const files = filesOf([
      { turns: [2, 0], agents: 1, hasRelay: false },
      { turns: [1], agents: 0, hasRelay: true },
    ]);
    const { sessions } = await read({
      'all.jsonl.gz': Buffer.concat(Object.values(files).map((it) => gzipSync(textOf(it)))),
    });
    expect(facts(sessions)).toEqual(facts((await apart(files)).sessions));
  });
});

describe('copies of one session that were kept at several moments', () => {
  const whole = lines('S', { turns: [1, 2, 0, 1], agents: 0, hasRelay: false }, 0);
  const copies: Files = {
    '1/full.jsonl': whole.slice(0, 4),
    '2/full.jsonl': whole.slice(0, 9),
    '3/full.jsonl': whole,
  };

  test.each([[[1, 2, 3]], [[3, 2, 1]], [[2, 3, 1]], [[3, 1, 2]]])(
    'are one session with its turns: %j',
    async (order) => {
      const [only] = (await apart({ 'S.jsonl': whole })).sessions;
      const names = order.map((number) => `${number}/full.jsonl`);
      const texts = Object.fromEntries(Object.entries(copies).map(([name, it]) => [name, textOf(it)]));
      const { sessions } = await read(texts, names);
      expect(sessions).toEqual([only]);
      const inStream = await joined(names.map((name) => copies[name] as Lines));
      expect(inStream.sessions).toEqual([only]);
    },
  );

  test('so are parts of it that overlap, and a copy cut in the middle of a line', async () => {
    const [only] = (await apart({ 'S.jsonl': whole })).sessions;
    const parts = { 'b.jsonl': textOf(whole.slice(0, 7)), 'a.jsonl': textOf(whole.slice(5)) };
    expect((await read(parts)).sessions).toEqual([only]);
    const torn = { 'a.jsonl': textOf(whole.slice(2, 8)).slice(0, -9), 'b.jsonl': textOf(whole) };
    const { sessions, findings } = await read(torn);
    expect(sessions).toEqual([only]);
    expect(findings.count('torn-tail')).toBe(1);
    expect(findings.list().find(({ kind }) => kind === 'torn-tail')?.first).toBe('a.jsonl:6');
  });
});

describe('a session that goes on in another file', () => {
  const first = lines('A', { turns: [1, 1], agents: 0, hasRelay: false }, 0);
  const own = (id: string, from: object[]) =>
    lines(id, { turns: [0, 1], agents: 0, hasRelay: false }, 5).map((line, at) =>
      at === 0 ? { ...line, parentUuid: (from.at(-1) as { uuid: string }).uuid } : line,
    );
  const sums = (sessions: readonly Session[]) =>
    sessions
      .flatMap(({ requests }) => requests)
      .reduce((sum, { usage: it }) => addUsage(sum, it ?? zeroUsage), zeroUsage);

  test('is one with what it goes on from, in files and in a stream', async () => {
    const resumed = [...first, ...own('B', first)];
    const files = { 'A.jsonl': first, 'B.jsonl': resumed };
    const alone = await apart({ 'B.jsonl': resumed });
    expect(alone.sessions.map(({ id, requests }) => [id, requests.length])).toEqual([['B', 7]]);
    expect(humanTurns(alone.sessions[0] as Session)).toBe(4);
    expect((await apart(files)).sessions).toEqual(alone.sessions);
    expect((await joined([resumed, first])).sessions).toEqual(alone.sessions);
    expect((await joined([first, own('B', first)])).sessions).toEqual(alone.sessions);
  });

  test('from the middle is a session beside it, billed for what is new', async () => {
    const begun = first.slice(0, 4);
    const fork = [...begun, ...own('B', begun)];
    const told = await apart({ 'A.jsonl': first, 'B.jsonl': fork });
    expect(told.sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['A', 4],
      ['B', 3],
    ]);
    expect(facts((await joined([fork, first])).sessions)).toEqual(facts(told.sessions));
    expect(facts((await joined([first, fork])).sessions)).toEqual(facts(told.sessions));
  });

  test('under a name of its own on every line is billed once in all', async () => {
    const renamed = [...first, ...own('B', first)].map((line) => ({ ...line, sessionId: 'B' }));
    const told = await apart({ 'A.jsonl': first, 'B.jsonl': renamed });
    expect(told.sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['A', 4],
      ['B', 3],
    ]);
    for (const order of [
      [first, renamed],
      [renamed, first],
    ]) {
      expect(sums((await joined(order)).sessions)).toEqual(sums(told.sessions));
    }
  });
});

describe('a stream that joins transcripts of several harnesses', () => {
  const claude = filesOf([{ turns: [1, 1], agents: 1, hasRelay: false }]);
  const others = (['codex', 'pi', 'native', 'request-log'] as const).map((name) => formatSamples[name]?.lines ?? []);

  test('is read as the files apart are, in any order, and that it was mixed is said', async () => {
    const lists = [...Object.values(claude), ...others];
    const alone = await Promise.all(lists.map((it) => joined([it])));
    const expected = facts(
      (await joined(Object.values(claude))).sessions.concat(alone.slice(-4).flatMap((it) => it.sessions)),
    );
    for (const order of [lists, [...lists].reverse()]) {
      const { sessions, findings } = await joined(order);
      expect(facts(sessions)).toEqual(expected);
      expect(findings.list().map(({ kind, count }) => [kind, count])).toEqual([['mixed-formats', 1]]);
    }
  });
});
