import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BillAttribution } from '../../src/analysis/attribution.ts';
import { elide } from '../../src/policies/elide.ts';
import { full } from '../../src/policies/full.ts';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { keepalive } from '../../src/policies/keepalive.ts';
import { nothingLost } from '../../src/replay/conditions.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { addUsage, type Session, type Usage, zeroUsage } from '../../src/session/index.ts';
import { oddSessions } from '../contracts/odd-sessions.ts';
import { make } from '../policies/defaults.ts';
import { type RunOptions, replaySeen } from '../replay/run.ts';
import { sessionOf, size, sonnet } from '../sessions.ts';

/** Replays a session and says, per request, what was sent again and why. */
function attribute(session: Session, options: RunOptions) {
  let attribution: BillAttribution | undefined;
  const replay = replaySeen(session, {
    ...options,
    observe: (timeline) => {
      attribution = new BillAttribution(timeline, true);
      return attribution;
    },
  });
  if (!attribution) throw new Error('nobody watched');
  const resent = attribution.requests.map((request) =>
    request.resent.map(({ cause, tokens }) => [cause, tokens] as const),
  );
  return { replay, attribution, resent, requests: attribution.requests };
}

const noPolicy = make(full);

/** System 2,000, prompt 100, one call of 50 with a result of 1,000, reply 20; then a second turn. */
const twoTurns = (pauseSeconds = 0) =>
  sessionOf([
    { prompt: 100, rounds: [{ call: 50, result: 1000 }], reply: 20 },
    { prompt: 100, rounds: [{ call: 50, result: 1000 }], reply: 20, pauseSeconds },
  ]);

describe('what was sent again, and why', () => {
  test('nothing, where the prompt only grows', () => {
    const { resent, requests } = attribute(twoTurns(), { policy: noPolicy });
    expect(resent).toEqual([[], [], [], []]);
    // 2,100 at first, then call and result, then reply and prompt, then call and result.
    expect(requests.map(({ newTokens }) => newTokens)).toEqual([2100, 1050, 120, 1050]);
  });

  test('a pause beyond the lifetime: all that stood before', () => {
    const { resent } = attribute(twoTurns(600), { policy: noPolicy });
    expect(resent).toEqual([[], [], [['expired', 3150]], []]);
  });

  test('a keepalive ping moves the end of the lifetime, and is a part of its own', () => {
    const { resent, attribution } = attribute(twoTurns(580), { policy: make(keepalive, { min_tokens: 0 }) });
    expect(resent).toEqual([[], [], [], []]);
    expect([...attribution.parts.values()].find(({ name }) => name.kind === 'calls')).toMatchObject({
      name: { kind: 'calls', detail: 'keepalive' },
      times: 1,
    });
  });

  test('an edit: the stub and what stands behind it, from the block it begins at', () => {
    const { resent, requests } = attribute(twoTurns(), { policy: make(elide, { recent_turns: 0 }), cache: 'ideal' });
    // The stub of 10 tokens; the reply and the prompt behind it are new.
    expect(resent[2]).toEqual([['edit', 10]]);
    expect(requests[2]?.newTokens).toBe(120);
    expect(requests[2]?.edit).toEqual({ turn: 1, block: 3, count: 1, reason: 'result of an earlier turn elided' });
  });

  test('an edit with no entry in front of it: what was unchanged before it is sent again too', () => {
    const { resent } = attribute(twoTurns(), {
      policy: make(elide, { recent_turns: 0 }),
      cache: 'anthropic',
      planner: 'tail',
    });
    // Entries end behind the first prompt (2,100) and behind the result (3,150); the call of 50 stands between them and the edit.
    expect(resent[2]).toEqual([
      ['placement', 50],
      ['edit', 10],
    ]);
  });

  test('another model has another cache; back at the first, what it knows is read', () => {
    const session = sessionOf([
      { prompt: 100, rounds: [], reply: 20 },
      { prompt: 100, rounds: [], reply: 20 },
      { prompt: 100, rounds: [], reply: 20 },
    ]);
    const models = ['claude-sonnet-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5'];
    const mixed = {
      ...session,
      requests: session.requests.map((request, at) => ({ ...request, model: models[at] as string })),
    };
    const { resent } = attribute(mixed, { policy: noPolicy, cache: 'ideal' });
    expect(resent).toEqual([[], [['model', 2100]], [['model', 120]]]);
  });

  test('a prefix below the smallest that is cached', () => {
    const { resent } = attribute(
      sessionOf(
        [
          { prompt: 100, rounds: [], reply: 20 },
          { prompt: 100, rounds: [], reply: 20 },
        ],
        { system: 300 },
      ),
      { policy: noPolicy },
    );
    expect(resent).toEqual([[], [['minimum', 400]]]);
  });

  test('an entry that stands further back than the look-back reaches', () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ time: 0 });
    // The 20 blocks before the marker on the last one end one short of the entry; the system part has a marker of its own.
    for (let at = 0; at < 21; at += 1) builder.block({ kind: 'meta', size: size(10) });
    builder.request({ time: 1000 });
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    const { resent } = attribute(session, { policy: noPolicy, planner: 'tail' });
    expect(resent).toEqual([[], [['look-back', 100]]]);
  });

  test('reads in steps', () => {
    // 2,100 tokens stood before; 16 × 128 = 2,048 of them are reported as read.
    const { resent } = attribute(twoTurns(), {
      policy: noPolicy,
      cache: 'openai',
      card: { ...sonnet, model: 'gpt-4.1' },
    });
    expect(resent[1]).toEqual([['rounding', 52]]);
  });

  test('a loss from outside, and losses to expect', () => {
    const lastKept = new Int32Array([nothingLost, nothingLost, 0, nothingLost]);
    const lost = attribute(twoTurns(), { policy: noPolicy, cache: 'ideal', conditions: { lastKept } });
    expect(lost.resent[2]).toEqual([['lost', 1150]]);
    const expected = attribute(twoTurns(), { policy: noPolicy, cache: 'ideal', expectedLoss: () => 0.1 });
    expect(expected.resent[1]).toEqual([['expected-loss', 210]]);
  });

  test('a setting that changed between two requests', () => {
    const session = sessionOf([
      { prompt: 100, rounds: [], reply: 20 },
      { prompt: 100, rounds: [], reply: 20 },
    ]);
    const effort = (level: string) => ({ settings: { effort: level } });
    const [first, second] = session.requests as [Session['requests'][number], Session['requests'][number]];
    const changed = {
      ...session,
      requests: [
        { ...first, ...effort('low') },
        { ...second, ...effort('high') },
      ],
    };
    const { resent } = attribute(changed, { policy: noPolicy });
    expect(resent).toEqual([[], [['settings', 2100]]]);
  });

  test('a recorded reset, and thinking that the provider drops', () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(2000) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ time: 0 });
    builder.block({ kind: 'thinking', size: size(300) });
    builder.block({ kind: 'reply', size: size(20) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ time: 1000 });
    builder.block({ kind: 'reply', size: size(20) });
    builder.segment('compaction', [0, 1], 2000);
    builder.turn();
    builder.block({ kind: 'prompt', size: size(70) });
    builder.request({ time: 3000 });
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
    const { resent, requests } = attribute(session, { policy: noPolicy, cache: 'ideal' });
    // The thinking never was in a prompt that was sent: only the reply behind it is new.
    expect(resent[1]).toEqual([]);
    expect(resent[2]).toEqual([]);
    expect(requests[2]?.newTokens).toBe(70);
  });
});

describe('parts', () => {
  const specs = parsePolicies([...policies.names, ...presets.map(({ name }) => name)], policies, presets);

  test.each(['anthropic', 'ideal', 'none', 'vllm', 'openai', 'deepseek'])(
    'add up to the bill under every policy, class by class (%s)',
    (cache) => {
      fc.assert(
        fc.property(oddSessions, fc.constantFrom(...specs), (session, { kind, settings }) => {
          const { replay, attribution } = attribute(session, {
            policy: () => kind.create(settings),
            cache,
            planner: 'claude-code',
            limit: 40_000,
            outputReserve: 4_000,
            resolveModel: (name) => ({ name, card: sonnet, limits: undefined }),
          });
          const billed = sum([...replay.ledger, ...replay.calls].map(({ usage }) => usage));
          const parts = [...attribution.parts.values()];
          expect(sum(parts.flatMap(({ tiers }) => [...tiers.values()].map(({ usage }) => usage)))).toEqual(billed);
          expect(parts.filter(({ name }) => name.cause === 'unexplained')).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );
});

function sum(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, zeroUsage);
}
