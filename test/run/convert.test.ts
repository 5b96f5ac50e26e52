import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import { convertContentFree, convertFiles } from '../../src/run/convert.ts';
import { replaySession } from '../../src/run/index.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { Findings } from '../../src/session/findings.ts';
import { writeNative } from '../../src/session/native.ts';
import { type Session, toolActions } from '../../src/session/session.ts';
import { readNativeLines } from '../native-lines.ts';
import { tempFolder } from '../temp.ts';

const cwd = tempFolder();

async function convert(using: typeof convertFiles, ...files: (readonly unknown[])[]): Promise<Session[]> {
  const paths = files.map((records, at) => {
    const path = join(cwd, `${at}.jsonl`);
    writeFileSync(path, records.map((it) => `${typeof it === 'string' ? it : JSON.stringify(it)}\n`).join(''));
    return path;
  });
  const lines: string[] = [];
  for await (const session of using({ paths, cwd, findings: new Findings() }, [])) lines.push(...session.lines);
  return readNativeLines(lines);
}

const head = (id: string, more: object = {}) => ({ type: 'session', format: 'ctxsim.session/1', id, ...more });
const prompt = (text: string) => ({ type: 'block', kind: 'prompt', text });
const request = { type: 'request', usage: { fresh: 100, cacheRead: 0, output: 1 } };

describe('with words', () => {
  test('two sessions of one name stay two', async () => {
    const sessions = await convert(
      convertFiles,
      [head('s'), request],
      [head('s'), prompt('other'), { ...request, id: 'r' }],
    );
    expect(sessions.map(({ id, requests }) => [id, requests.length])).toEqual([
      ['s', 1],
      ['s#2', 1],
    ]);
  });
});

describe('content-free', () => {
  test('a sub-agent stays with its parent, whichever comes first, and with its siblings where that is not read', async () => {
    const sessions = await convert(
      convertContentFree,
      [head('child', { parent: 'main' }), prompt('a b c'), request],
      [head('main'), prompt('a b'), request],
      [head('x1', { parent: 'absent' }), prompt('a b c d'), request],
      [head('x2', { parent: 'absent' }), prompt('a b c d e'), request],
    );
    const [child, main, first, second] = sessions;
    expect(child?.parent).toBe(main?.id);
    expect(first?.parent).toBe(second?.parent);
    expect(first?.parent).toBe(`parent-of-${first?.id}`);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(4);
  });

  test('a name comes of what is left: copies have the same one, and two of one run are told apart', async () => {
    const records = (id: string, text: string) => [head(id), prompt(text), request];
    const ids = async (...files: unknown[][]) => (await convert(convertContentFree, ...files)).map(({ id }) => id);
    const [one] = await ids(records('s', 'cat'));
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(await ids(records('other', 'dog'))).toEqual([one]);
    expect(await ids(records('s', 'cats and dogs'))).not.toEqual([one]);
    expect(await ids(records('a', 'cat'), records('b', 'dog'))).toEqual([one, `${one}#2`]);
  });

  test('converted once more it is the same', async () => {
    const once = await convert(convertContentFree, [head('s'), prompt('one two'), request]);
    expect(await convert(convertContentFree, [...writeNative(once[0] as Session)])).toEqual(once);
  });
});

/** Lines that are long enough to be quoted. */
const quotable = ['\ue601', '\ue602'].map((character) => `\n${character.repeat(26)}\n`);

/** Texts of characters that no format uses, in lines and words of many lengths. */
const words = fc
  .array(fc.constantFrom('\ue123', '\ue456\ue457', ' ', '\n', ...quotable), { maxLength: 120 })
  .map((parts) => parts.join(''));
const target = fc.option(fc.constantFrom('\ue100', '\ue101 \ue102', '\ue103\n\ue104', ''), { nil: undefined });
const tool = fc.constantFrom('Bash', 'Read', '\ue200');
const usage = fc.record({ fresh: fc.integer({ min: 1, max: 9000 }), cacheRead: fc.nat(9000), output: fc.nat(900) });

const step = fc.oneof(
  fc.record({
    do: fc.constant('round' as const),
    tool,
    target,
    action: fc.constantFrom(...toolActions),
    words,
    result: words,
  }),
  fc.record({ do: fc.constant('turn' as const), words, reply: words }),
  fc.record({ do: fc.constant('reset' as const), words }),
  fc.record({ do: fc.constant('stray reply' as const), words }),
);

const sessions = fc
  .record({
    steps: fc.array(step, { minLength: 3, maxLength: 25 }),
    usages: fc.array(usage, { maxLength: 40 }),
    system: words,
  })
  .map(({ steps, usages, system }) => {
    const builder = new SessionBuilder();
    let sent = 0;
    const send = () => {
      const { fresh, cacheRead, output } = usages[sent] ?? {};
      sent += 1;
      const known = {
        fresh: fresh ?? 0,
        cacheRead: cacheRead ?? 0,
        output: output ?? 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
      };
      builder.request({
        id: `\ue300${sent}`,
        time: 1e12 + sent * 100_000,
        ...(fresh === undefined ? {} : { usage: known }),
      });
    };
    builder.block({ kind: 'system', text: system });
    for (const [at, taken] of steps.entries()) {
      if (taken.do === 'reset') builder.segment('compaction', [0]);
      else if (taken.do === 'stray reply') builder.endOutput();
      else if (taken.do === 'turn') builder.turn();
      else send();
      if (taken.do === 'round') {
        const { action, target: of } = taken;
        const call = { callId: `\ue400${at}`, tool: taken.tool, action, ...(of === undefined ? {} : { target: of }) };
        builder.block({ kind: 'call', ...call, text: taken.words });
        builder.block({ kind: 'result', ...call, text: taken.result });
      } else
        builder.block({
          kind: taken.do === 'turn' ? 'prompt' : taken.do === 'reset' ? 'summary' : 'reply',
          text: taken.words,
        });
      if (taken.do === 'turn') {
        send();
        builder.block({ kind: 'reply', text: taken.reply });
      }
    }
    send();
    return builder.build({ id: '\ue500', model: 'claude-sonnet-4-5', content: 'text' });
  });

const specs = ['full', 'elide:terse_success=off,on', 'heph', 'bi:recent_turns_full=1', 'mask:replacement=line,preview'];
const prices = await loadPriceBook();
const job = {
  rows: parsePolicies(specs, policies, presets),
  baseline: 0,
  prices,
  ttl: 'recorded' as const,
  window: 3000,
  outputReserve: 500,
  refetchRate: 0.3,
  recordedEvents: true,
  expectLosses: false,
};

async function billOf(session: Session) {
  const { id: _id, hasWords: _hasWords, ...outcome } = await replaySession(session, { file: '', format: '' }, job);
  return outcome;
}

test('random sessions: converted they are the same, and without words they have the same bill and none of their characters', async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async (session) => {
      const lines = [...writeNative(session)];
      expect(await convert(convertFiles, lines)).toEqual([session]);
      const [bare] = await convert(convertContentFree, lines);
      expect([...writeNative(bare as Session)].join('')).not.toMatch(/[\ue000-\uf8ff]/);
      expect(await billOf(bare as Session)).toEqual(await billOf(session));
    }),
    { numRuns: 40 },
  );
});
