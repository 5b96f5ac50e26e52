import { expect, test } from 'vitest';
import { HarnessMemory } from '../../src/analysis/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import { predictSession } from '../../src/run/backtest-session.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session } from '../../src/session/index.ts';
import { size } from '../sessions.ts';

const prices = await loadPriceBook();

/** A request of so many tokens, of which so many were read; `at`: seconds since the session began. */
interface Step {
  readonly at: number;
  readonly prompt: number;
  readonly read: number;
  readonly long?: boolean;
  /** A compaction came first, at this second. */
  readonly compactedAt?: number;
  /** Blocks in the result before it: more than twenty are out of the look-back's reach. */
  readonly blocks?: number;
}

function recording(steps: readonly Step[], id = 's'): Session {
  const builder = new SessionBuilder();
  builder.turn();
  builder.block({ kind: 'prompt', size: size(40) });
  steps.forEach(({ at, prompt, read, long, compactedAt, blocks = 1 }, index) => {
    if (compactedAt !== undefined) {
      builder.segment('compaction', [], compactedAt * 1000);
      builder.turn(true);
      builder.block({ kind: 'summary', size: size(400) });
    } else if (index > 0) {
      for (let block = 0; block < blocks; block += 1) builder.block({ kind: 'meta', size: size(50) });
    }
    const written = prompt - read;
    builder.request({
      time: at * 1000,
      usage: {
        fresh: 0,
        cacheRead: read,
        cacheWrite5m: long ? 0 : written,
        cacheWrite1h: long ? written : 0,
        output: 10,
      },
    });
    builder.block({ kind: 'reply', size: size(10) });
  });
  return builder.build({
    id,
    agent: 'claude-code',
    agentVersion: '1',
    content: 'sizes',
    tokenizer: 'model',
    model: 'claude-opus-4-6',
  });
}

const reads = (steps: readonly Step[], memory = new HarnessMemory()) => {
  const session = recording(steps);
  return predictSession(session, memory.foretell(session), prices).map(({ cacheRead }) => cacheRead);
};

const opening: Step = { at: 0, prompt: 20_000, read: 12_000 };

test('an entry is read up to 22 seconds beyond its lifetime, as measured, and then no more', () => {
  expect(reads([opening, { at: 322, prompt: 21_000, read: 20_000 }])).toEqual([12_000, 20_000]);
  expect(reads([opening, { at: 323, prompt: 21_000, read: 12_000 }])).toEqual([12_000, 12_000]);
});

test('after a compaction the system part is warm as long as the call that wrote the summary is recent', () => {
  const long = { ...opening, long: true };
  // Everything of this session died in a pause before, the system part too: only the compaction has sent it since.
  const dead: Step = { at: 10_000, prompt: 21_000, read: 0, long: true };
  const compacted = (at: number, compactedAt: number): Step[] => [
    long,
    dead,
    { at, compactedAt, prompt: 15_000, read: 12_000, long: true },
  ];
  expect(reads(compacted(30_000, 29_700)).at(-1)).toBe(12_000);
  expect(reads(compacted(30_000, 20_000)).at(-1)).toBe(0);
  // A reset without a summary sent nothing, however recent it is.
  const session = recording(compacted(30_000, 29_700));
  const cleared: Session = {
    ...session,
    segments: session.segments.map((segment, at) => (at === 0 ? segment : { ...segment, reason: 'clear' })),
  };
  expect(predictSession(cleared, new HarnessMemory().foretell(cleared), prices).at(-1)?.cacheRead).toBe(0);
});

test('an entry seen to stand behind the system part is read when the look-back misses the rest', () => {
  const far = { blocks: 30 };
  const wide = { ...opening, prompt: 30_000 };
  const steps: Step[] = [
    wide,
    { at: 10, prompt: 40_000, read: 13_000, ...far },
    { at: 20, prompt: 60_000, read: 13_000, ...far },
  ];
  // Nothing has shown it yet at the second request; from the third on it is known.
  expect(reads(steps)).toEqual([12_000, 12_000, 13_000]);
  // Sessions of the same version inherit it, counted from the end of their own system part.
  const memory = new HarnessMemory();
  reads(steps, memory);
  expect(
    reads(
      [
        { ...wide, read: 11_000 },
        { at: 10, prompt: 40_000, read: 12_000, ...far },
      ],
      memory,
    ),
  ).toEqual([11_000, 12_000]);
});

test('a turn start that shrank had been sent before: nearly all of it is read', () => {
  const session = recording([opening, { at: 10, prompt: 19_000, read: 18_900 }]);
  const turned: Session = {
    ...session,
    turns: [...session.turns, { firstBlock: session.blocks.findIndex(({ kind }) => kind === 'meta') }],
    requests: session.requests.map((request, index) => ({ ...request, turn: index })),
  };
  const [, guess] = predictSession(turned, new HarnessMemory().foretell(turned), prices);
  expect(guess?.cacheRead).toBeGreaterThan(18_000);
  const [, within] = reads([opening, { at: 10, prompt: 19_000, read: 12_000 }]);
  expect(within).toBe(12_000);
});

test('where a recording does not tell writes from plain input, neither does the prediction', () => {
  const session = recording([opening, { at: 10, prompt: 21_000, read: 20_000 }]);
  const plain: Session = {
    ...session,
    agent: 'codex',
    model: 'gpt-5.6-sol',
    requests: session.requests.map(({ usage, ...request }) => ({
      ...request,
      ...(usage ? { usage: { ...usage, fresh: usage.cacheWrite5m, cacheWrite5m: 0 } } : {}),
    })),
  };
  const [, guess] = predictSession(plain, new HarnessMemory().foretell(plain), prices);
  expect(guess).toMatchObject({ cacheWrite5m: 0, cacheWrite1h: 0 });
  expect((guess?.fresh ?? 0) + (guess?.cacheRead ?? 0)).toBe(21_000);
});

test('what another session showed later is not known yet, although that session began earlier', () => {
  const early = recording(
    [
      opening,
      { at: 100, prompt: 30_000, read: 20_000 },
      // At 800 seconds a compaction shows what the harness keeps.
      { at: 800, compactedAt: 790, prompt: 15_000, read: 5000 },
    ],
    'a',
  );
  const late = recording(
    [
      { ...opening, at: 10 },
      { at: 40, compactedAt: 35, prompt: 15_000, read: 12_000 },
    ],
    'b',
  );
  const alone = new HarnessMemory().foretell(late);
  const [, beside] = new HarnessMemory().foretellAll([early, late]);
  expect(beside).toEqual(alone);
});
