import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonLine } from '../../src/bytes/source.ts';
import { native } from '../../src/formats/native/index.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { Findings } from '../../src/session/findings.ts';
import { writeNative } from '../../src/session/native.ts';
import { blockKinds, type Session, segmentReasons } from '../../src/session/session.ts';
import { largestCount, largestOutput } from '../../src/session/usage.ts';

async function readLines(lines: readonly unknown[], findings = new Findings()): Promise<Session[]> {
  const records = (): JsonLine[] => lines.map((value, index) => ({ line: index + 1, value }));
  const sessions: Session[] = [];
  for await (const session of native.read({ path: 'f.jsonl', records }, { findings, seenRequests: new Set() }))
    sessions.push(session);
  return sessions;
}

const roundTrip = async (session: Session) =>
  (await readLines([...writeNative(session)].map((line) => JSON.parse(line))))[0];

const usage = fc.record({
  fresh: fc.integer({ min: 1, max: 500_000_000 }),
  cacheRead: fc.nat(500_000_000),
  cacheWrite5m: fc.nat(500_000_000),
  cacheWrite1h: fc.nat(500_000_000),
  output: fc.nat(largestOutput),
});
const totals = fc.record({ prompt: fc.nat(), output: fc.nat(largestOutput) });
const size = fc.record({ chars: fc.nat(), lines: fc.nat(), tokens: fc.nat(), derived: fc.constant({ stub: 12 }) });
const time = fc.integer({ min: 100_000_000_000, max: 4_000_000_000_000 });

/** What a reader may do to a builder, in any order. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('block' as const),
      kind: fc.constantFrom(...blockKinds),
      text: fc.string(),
      callId: fc.constantFrom('a', 'b'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sizes' as const), kind: fc.constantFrom(...blockKinds), size }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('request' as const), time, usage }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('request' as const), totals }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      discarded: fc.array(fc.record({ kind: fc.constantFrom(...blockKinds), text: fc.string() }), { maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const), continues: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('segment' as const),
      reason: fc.constantFrom(...segmentReasons),
      time: fc.option(time, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abandoned' as const), usage, time }) },
);

function build(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Session {
  const builder = new SessionBuilder();
  for (const { do: action, ...rest } of steps) {
    const fields = rest as unknown as Record<string, never>;
    if (action === 'block' || action === 'sizes') builder.block(fields as never);
    else if (action === 'request') builder.request(fields);
    else if (action === 'turn') builder.turn(fields.continues);
    else if (action === 'segment')
      builder.segment(
        fields.reason as never,
        [...Array(Math.min(2, builder.blockCount)).keys()],
        fields.time as number | undefined,
      );
    else builder.abandoned(fields as never);
  }
  return builder.build({ id: 's', content: 'text', model: 'm', warmBlocks: steps.length });
}

describe('the native format', () => {
  test('a session read, written and read again is the same session', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const session = build(steps);
        expect(await roundTrip(session)).toEqual(session);
      }),
      { numRuns: 300 },
    );
  });

  test('several sessions in one file', async () => {
    const lines = ['a', 'b'].map((id) => ({ type: 'session', format: 'ctxsim.session/1', id }));
    expect((await readLines(lines)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('results take tool, action and target of their call', async () => {
    const [session] = await readLines([
      { type: 'session', format: 'ctxsim.session/1', id: 's' },
      { type: 'block', kind: 'call', callId: 'c', tool: 'Read', action: 'view', target: 'a.ts', text: '{}' },
      { type: 'block', kind: 'result', callId: 'c', text: 'x' },
    ]);
    expect(session?.blocks[1]).toMatchObject({ tool: 'Read', action: 'view', target: 'a.ts' });
  });

  test('times as ISO text with an offset or as milliseconds', async () => {
    const [session] = await readLines([
      { type: 'session', format: 'ctxsim.session/1', id: 's' },
      { type: 'request', time: '2026-01-01T01:00:00+01:00' },
      { type: 'request', time: 1767225600000 },
    ]);
    expect(session?.requests.map((request) => request.time)).toEqual([1767225600000, 1767225600000]);
  });

  test('a call that nothing answers is a finding, session by session', async () => {
    const findings = new Findings();
    const call = (callId: string) => ({ type: 'block', kind: 'call', callId, text: 'x' });
    const result = (callId: string) => ({ type: 'block', kind: 'result', callId, text: 'y' });
    const header = (id: string) => ({ type: 'session', format: 'ctxsim.session/1', id });
    await readLines(
      [
        header('a'),
        call('1'),
        call('2'),
        result('1'),
        { type: 'request' },
        header('b'),
        call('2'),
        result('2'),
        call('3'),
      ],
      findings,
    );
    expect(findings.list()).toMatchObject([{ kind: 'unanswered-call', count: 2, first: 'f.jsonl:3' }]);
  });

  test('a prompt of no tokens is one that nobody counted', async () => {
    const findings = new Findings();
    const zeros = { fresh: 0, cacheRead: 0, output: 0 };
    const [session] = await readLines(
      [
        { type: 'session', format: 'ctxsim.session/1', id: 's' },
        { type: 'request', usage: zeros },
        { type: 'request', usage: { ...zeros, fresh: 1 } },
      ],
      findings,
    );
    expect(session?.requests.map(({ usage: known }) => known?.fresh)).toEqual([undefined, 1]);
    expect(findings.list()).toMatchObject([{ kind: 'usage-missing', count: 1, first: 'f.jsonl:2' }]);
  });

  test.each([
    [{ type: 'block', kind: 'banana', text: '' }, 'kind'],
    [{ type: 'block', kind: 'prompt' }, 'a block needs text'],
    [{ type: 'request', usage: { fresh: -1, cacheRead: 0, output: 0 } }, 'usage.fresh'],
    [{ type: 'request', usage: { fresh: 1, output: 0 } }, 'usage.cacheRead'],
    [{ type: 'block', kind: 'result', size: { chars: 9, lines: 1, tokens: 3, derived: { stubb: 1 } } }, 'stubb'],
    [{ type: 'request', usage: { fresh: 1, cacheRead: 0, output: 1_000_001 } }, 'usage.output'],
    [{ type: 'request', totals: { prompt: 1, output: 1_000_001 } }, 'totals.output'],
    [{ type: 'request', usage: { fresh: 2e9, cacheRead: 2e9, output: 1 } }, 'usage: the prompt adds up to more'],
    [{ type: 'abandoned', usage: { fresh: 1, cacheRead: 0, cacheWrite5m: largestCount, output: 1 } }, 'usage: the'],
    [{ type: 'request', discarded: [{ kind: 'reply' }] }, 'discarded.0: a block needs text'],
    [{ type: 'request', tokens: 4 }, 'tokens'],
    [{ type: 'request', time: 'yesterday' }, 'time'],
    [{ type: 'request', time: 1772442000 }, 'milliseconds'],
    [{ type: 'segment', reason: 'compaction', keeps: [7] }, 'keeps: there are 0 blocks'],
    [{ type: 'banana' }, 'type'],
  ])('a bad record is counted with its place, and the rest is read: %j', async (record, expected) => {
    const findings = new Findings();
    const lines = [{ type: 'session', format: 'ctxsim.session/1', id: 's' }, record, { type: 'turn' }];
    const sessions = await readLines(lines, findings);
    expect(sessions[0]?.turns).toHaveLength(1);
    const [finding] = findings.list();
    expect(finding).toMatchObject({ kind: 'invalid-native-record', count: 1, first: 'f.jsonl:2' });
    expect(finding?.detail).toContain(expected);
  });
});
