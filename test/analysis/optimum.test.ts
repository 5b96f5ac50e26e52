import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cheapestSchedule } from '../../src/analysis/optimum.ts';
import { nothingLost } from '../../src/replay/index.ts';
import type { Session } from '../../src/session/index.ts';
import { sessionOf, type TurnShape } from '../sessions.ts';
import {
  type Circumstances,
  replayOf,
  type Search,
  type Setup,
  scheduledSearch,
  setups,
  shapes,
  systems,
  tiered,
  usdOf,
} from './schedules.ts';

/** Every set of turns after the first, per segment, as it is written down without any cleverness. */
function* allSchedules(turns: readonly number[]): Generator<number[][]> {
  const [first = 0, ...others] = turns;
  if (turns.length === 0) {
    yield [];
    return;
  }
  for (let set = 0; set < 2 ** Math.max(0, first - 1); set += 1) {
    const acts = Array.from({ length: first }, (_, at) => at + 2).filter((turn) => (set >> (turn - 2)) & 1);
    for (const rest of allSchedules(others)) yield [acts, ...rest];
  }
}

function bruteForce(search: Search, turns: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const acts of allSchedules(turns)) least = Math.min(least, usdOf(replayOf(search, acts)));
  return least;
}

function agrees(session: Session, setup: Setup, circumstances: Circumstances = {}): void {
  const search = scheduledSearch(session, setup, circumstances);
  const found = cheapestSchedule(search);
  expect(found.isExact).toBe(true);
  expect(usdOf(replayOf(search, found.acts))).toBeCloseTo(found.usd, 9);
  const turns = search.timeline.segments.map(({ turnStarts }) => turnStarts.length - 1);
  expect(found.usd).toBeCloseTo(bruteForce(search, turns), 9);
}

describe('the cheapest schedule of all', () => {
  test.each([
    [1, 6, 850],
    [7, 9, 60],
    [12, 12, 5],
  ])('of %i to %i turns', (from, to, numRuns) => {
    fc.assert(
      fc.property(shapes(from, to), setups, systems, (turns, setup, system) =>
        agrees(sessionOf(turns, { system }), setup),
      ),
      { numRuns },
    );
  });

  test('where long prompts have a price of their own', () => {
    fc.assert(
      fc.property(shapes(2, 6), setups, (turns, setup) => agrees(sessionOf(turns), setup, { card: tiered })),
      { numRuns: 80 },
    );
  });

  test('through resets that keep the system part', () => {
    fc.assert(
      fc.property(fc.array(shapes(1, 4), { minLength: 2, maxLength: 3 }), setups, (segments, setup) => {
        fc.pre(segments.flat().length <= 8);
        agrees(withResets(segments), setup);
      }),
      { numRuns: 80 },
    );
  });

  test('of a fork, whose first turns have no requests', () => {
    fc.assert(
      fc.property(shapes(3, 7), setups, fc.integer({ min: 1, max: 3 }), (turns, setup, without) => {
        const session = sessionOf(turns);
        const requests = session.requests.filter(({ turn }) => turn >= Math.min(without, turns.length - 1));
        agrees({ ...session, requests }, setup);
      }),
      { numRuns: 80 },
    );
  });

  test('through evictions that leave the system part at most, and with one that others keep warm', () => {
    fc.assert(
      fc.property(shapes(2, 6), setups, fc.infiniteStream(fc.nat(5)), (turns, setup, draws) => {
        const session = sessionOf(turns);
        const count = session.requests.length;
        const lastKept = Int32Array.from({ length: count }, () => [0, -1][draws.next().value] ?? nothingLost);
        const warm = new Float64Array(count).fill(2000);
        agrees(session, setup, { conditions: { lastKept, warm } });
      }),
      { numRuns: 80 },
    );
  });

  test('through evictions of any length and lifetimes of any mixture, where every prefix is cached', () => {
    fc.assert(
      fc.property(shapes(2, 6), fc.infiniteStream(fc.nat(40)), (turns, draws) => {
        const session = sessionOf(turns);
        const count = session.requests.length;
        const lastKept = Int32Array.from({ length: count }, (_, at) =>
          at % 3 === 0 ? draws.next().value : nothingLost,
        );
        const longTtl = Uint8Array.from({ length: count }, () => draws.next().value % 2);
        agrees(session, { cache: 'ideal', planner: 'tail', ttl: '5m' }, { conditions: { lastKept }, longTtl });
      }),
      { numRuns: 80 },
    );
  });
});

describe('a schedule that nobody proved', () => {
  const check = (session: Session, setup: Setup, circumstances: Circumstances = {}) => {
    const search = scheduledSearch(session, setup, circumstances);
    const found = cheapestSchedule(search);
    expect(usdOf(replayOf(search, found.acts))).toBeCloseTo(found.usd, 9);
    const every = Array.from({ length: session.turns.length }, (_, at) => at + 1);
    for (const acts of [[], every]) expect(found.usd).toBeLessThanOrEqual(usdOf(replayOf(search, [acts])) + 1e-9);
    return found.isExact;
  };
  const setup: Setup = { cache: 'anthropic', planner: 'anchor', ttl: '5m' };
  const turns = Array.from({ length: 5 }, () => ({ prompt: 50, reply: 50, rounds: [{ call: 50, result: 2000 }] }));

  test('is called so', () => {
    const session = sessionOf(turns);
    const longTtl = Uint8Array.from(session.requests, (_, at) => at % 2);
    const lastKept = new Int32Array(session.requests.length).fill(nothingLost);
    lastKept[6] = 9;
    expect(check(session, setup)).toBe(true);
    expect(check(session, setup, { longTtl })).toBe(false);
    expect(check(session, setup, { conditions: { lastKept } })).toBe(false);
    expect(check(session, { ...setup, cache: 'deepseek' })).toBe(false);
    expect(check(withModels(session), setup)).toBe(false);
    expect(check(withResets([turns, turns], [0, 1, 2, 3]), setup)).toBe(false);
  });

  test('weighs what a reset finds again that keeps results', () => {
    const big = { prompt: 50, reply: 50, rounds: [{ call: 50, result: 30_000 }] };
    // Cutting it saves 30,000 tokens for six requests; but then it is no longer cached, 500 seconds on, when it comes back.
    const small = { prompt: 50, reply: 50, rounds: Array.from({ length: 5 }, () => ({ call: 50, result: 50 })) };
    const session = withResets([[big, small], [big]], [0, 1, 2, 3], 100);
    const search = scheduledSearch(session, { ...setup, cache: 'ideal' });
    const found = cheapestSchedule(search);
    expect(found.acts).toEqual([[], []]);
    expect(found.usd).toBeCloseTo(bruteForce(search, [2, 1]), 9);
    expect(cheapestSchedule(scheduledSearch(sessionOf([big, small]), setup)).acts).toEqual([[2]]);
  });

  test('is never dearer than to cut nothing, or at every turn', () => {
    fc.assert(
      fc.property(shapes(2, 8), setups, fc.infiniteStream(fc.nat(40)), (shape, other, draws) => {
        const session = withModels(sessionOf(shape));
        const lastKept = Int32Array.from(session.requests, (_, at) =>
          at % 5 === 0 ? draws.next().value : nothingLost,
        );
        check(session, other, { conditions: { lastKept } });
      }),
      { numRuns: 60 },
    );
  });
});

/** One session of several segments; each keeps the blocks given. */
function withResets(segments: readonly TurnShape[][], keeps: readonly number[] = [0], step = 10): Session {
  const parts = segments.map((turns) => sessionOf(turns, { step }));
  const [first, ...others] = parts;
  if (!first) throw new Error('no segment');
  return others.reduce<Session>((whole, part) => joined(whole, part, keeps), first);
}

function joined(whole: Session, part: Session, keeps: readonly number[]): Session {
  // The part's own system block is that of the whole.
  const blocks = whole.blocks.length - 1;
  const turns = whole.turns.length;
  const later = (whole.requests.at(-1)?.time ?? 0) + 60_000;
  return {
    ...whole,
    blocks: [...whole.blocks, ...part.blocks.slice(1).map((block) => relabelled(block, `${blocks}`))],
    turns: [...whole.turns, ...part.turns.map((turn) => ({ ...turn, firstBlock: turn.firstBlock + blocks }))],
    segments: [
      ...whole.segments,
      {
        reason: 'compaction',
        keeps: [...keeps],
        firstBlock: whole.blocks.length,
        firstTurn: turns,
        firstRequest: whole.requests.length,
      },
    ],
    requests: [
      ...whole.requests,
      ...part.requests.map((request) => ({
        ...request,
        at: request.at + blocks,
        turn: request.turn + turns,
        time: (request.time ?? 0) + later,
      })),
    ],
  };
}

function relabelled(block: Session['blocks'][number], prefix: string) {
  return block.callId === undefined ? block : { ...block, callId: `${prefix}-${block.callId}` };
}

/** Every third request goes to another model, which has a cache of its own. */
function withModels(session: Session): Session {
  const requests = session.requests.map((request, at) => (at % 3 === 2 ? { ...request, model: 'other' } : request));
  return { ...session, requests };
}
