import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastBill } from '../../src/analysis/bound.ts';
import { cheapestSchedule } from '../../src/analysis/optimum.ts';
import { elide } from '../../src/policies/elide.ts';
import { elisionsOf } from '../../src/policies/parts/elision.ts';
import type { Policy } from '../../src/policies/policy.ts';
import { replayLane } from '../../src/replay/index.ts';
import { sessionOf } from '../sessions.ts';
import { elisionSettings, type Search, scheduledSearch, setups, shapes, systems, tiered, usdOf } from './schedules.ts';

/** Cuts, before the requests that are named, every result that an earlier request carried. */
function insideTurns(requests: ReadonlySet<number>): Policy {
  let request = -1;
  let cut = 0;
  return {
    events: ['pre_request'],
    on(_, state) {
      request += 1;
      if (!requests.has(request)) return undefined;
      const from = Math.max(cut, state.turnBlocks(1).first);
      cut = state.ingestFirst;
      return { edits: elisionsOf(from, cut, state, elisionSettings) };
    },
  };
}

const billUnder = (search: Search, createPolicy: () => Policy) =>
  usdOf(replayLane(search.timeline, { ...search.options, createPolicy }));

/** The bound holds under every cache, those with units, blocks and steps too. */
const anySetups = fc
  .tuple(setups, fc.constantFrom(undefined, 'openai', 'gemini', 'deepseek', 'vllm', 'sglang', 'qwen-explicit'))
  .map(([setup, cache]) => ({ ...setup, cache: cache ?? setup.cache }));

/** Every way to cut before some of the requests, and every window. */
function cheapestOfAll(search: Search): number {
  const count = search.timeline.requests.at.length;
  let least = Number.POSITIVE_INFINITY;
  for (let set = 0; set < 2 ** (count - 1); set += 1) {
    const requests = new Set(
      Array.from({ length: count }, (_, at) => at).filter((at) => at > 0 && (set >> (at - 1)) & 1),
    );
    least = Math.min(
      least,
      billUnder(search, () => insideTurns(requests)),
    );
  }
  for (const recent_turns of [0, 1, 2])
    least = Math.min(
      least,
      billUnder(search, () => elide.create({ ...elisionSettings, recent_turns, terse_success: 'off' })),
    );
  return least;
}

describe('the least bill', () => {
  test('no way of cutting results comes below it, inside turns too', () => {
    fc.assert(
      fc.property(shapes(1, 3, 3), anySetups, systems, fc.boolean(), (turns, setup, system, isTiered) => {
        const session = sessionOf(turns, { system });
        fc.pre(session.requests.length <= 8);
        const search = scheduledSearch(session, setup, isTiered ? { card: tiered } : {});
        expect(leastBill(search) ?? Number.NaN).toBeLessThanOrEqual(cheapestOfAll(search) + 1e-9);
      }),
      { numRuns: 150 },
    );
  });

  test('it lies at or below the optimum, and above nothing at all', () => {
    fc.assert(
      fc.property(shapes(1, 12, 13), anySetups, systems, (turns, setup, system) => {
        const search = scheduledSearch(sessionOf(turns, { system }), setup);
        const least = leastBill(search) ?? Number.NaN;
        expect(least).toBeLessThanOrEqual(cheapestSchedule(search).usd + 1e-9);
        expect(least).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });

  test('it is the bill itself where nothing can be cut and nothing expires', () => {
    const turns = [50, 80, 100].map((result) => ({ prompt: 60, reply: 90, rounds: [{ call: 40, result }] }));
    const search = scheduledSearch(sessionOf(turns, { system: 2000 }), {
      cache: 'anthropic',
      planner: 'anchor',
      ttl: '5m',
    });
    expect(leastBill(search)).toBeCloseTo(cheapestSchedule(search).usd, 12);
  });

  test('it is not known where stubs are larger than results', () => {
    const session = sessionOf([{ prompt: 60, reply: 90, rounds: [101, 5].map((result) => ({ call: 40, result })) }]);
    // Without the size of its stub a result of more than 60 tokens gets one of stub_tokens.
    const blocks = session.blocks.map(({ size, ...block }) => ({
      ...block,
      size: { chars: 0, lines: 0, tokens: size?.tokens ?? 0 },
    }));
    const setup = { cache: 'anthropic', planner: 'anchor', ttl: '5m' } as const;
    const leastWith = (stub_tokens: number) =>
      leastBill(scheduledSearch({ ...session, blocks }, setup, { settings: { ...elisionSettings, stub_tokens } }));
    expect(leastWith(100)).toBeGreaterThan(0);
    expect(leastWith(102)).toBeUndefined();
  });
});
