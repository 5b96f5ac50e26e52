import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elide } from '../../src/policies/elide.ts';
import { full } from '../../src/policies/full.ts';
import { sessionOf } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';
import { replaySeen, type SeenRequest } from './run.ts';

const elisions = fc.record({
  recent_turns: fc.integer({ min: 0, max: 4 }),
  min_elide_chars: fc.constant(300),
  min_elide_tokens: fc.constant(60),
  stub_tokens: fc.constant(15),
  terse_success: fc.constant('off'),
});
const systems = fc.constantFrom(0, 300, 2000);

const prefixKey = (ids: readonly number[], length: number) => ids.slice(0, length).join(',');
const tokensUpTo = (request: SeenRequest, position: number) =>
  request.tokens.slice(0, position).reduce((a, b) => a + b, 0);

/** Longest prefix that any earlier request within its lifetime carried; written down without any cleverness. */
function idealReads(seen: readonly SeenRequest[], times: readonly number[], warm = 0): number[] {
  const lastUse = new Map<string, number>();
  return seen.map((request, index) => {
    const now = times[index] as number;
    let length = Math.min(warm, request.ids.length);
    while (
      length < request.ids.length &&
      now - (lastUse.get(prefixKey(request.ids, length + 1)) ?? -Infinity) <= 300_000
    )
      length += 1;
    for (let to = 1; to <= request.ids.length; to += 1) lastUse.set(prefixKey(request.ids, to), now);
    return tokensUpTo(request, length);
  });
}

/** Anthropic's rules over a plain map of prefixes, for the planners that need nothing but the view. */
function anthropicSplits(
  seen: readonly SeenRequest[],
  times: readonly number[],
  markersOf: (request: SeenRequest, index: number) => number[],
) {
  const entries = new Map<string, number>();
  return seen.map((request, index) => {
    const now = times[index] as number;
    const markers = [...new Set(markersOf(request, index).filter((at) => at >= 0))].sort((a, b) => a - b);
    let hit = -1;
    for (const marker of [...markers].reverse()) {
      for (let at = marker; hit === -1 && at >= marker - 20 && at >= 0; at -= 1) {
        const used = entries.get(prefixKey(request.ids, at + 1));
        if (used !== undefined && now - used <= 300_000) hit = at;
      }
    }
    for (let at = 0; at <= hit; at += 1) {
      const key = prefixKey(request.ids, at + 1);
      const used = entries.get(key);
      // A read keeps every entry before it alive; one that had died stays dead.
      if (used !== undefined && now - used <= 300_000) entries.set(key, now);
    }
    let end = tokensUpTo(request, hit + 1);
    const read = end;
    for (const marker of markers) {
      const upTo = tokensUpTo(request, marker + 1);
      if (upTo < 1024) continue;
      entries.set(prefixKey(request.ids, marker + 1), now);
      if (marker > hit) end = upTo;
    }
    return { read, write: end - read, fresh: request.prompt - end };
  });
}

describe('replay agrees with a brute-force cache', () => {
  test('ideal: the longest live prefix of any earlier request', () => {
    fc.assert(
      fc.property(turnShapes, elisions, systems, fc.constantFrom(0, 1, 2), (turns, settings, system, warmBlocks) => {
        const session = { ...sessionOf(turns, { system }), warmBlocks };
        const { seen } = replaySeen(session, { policy: () => elide.create(settings), cache: 'ideal' });
        const times = session.requests.map(({ time }) => time ?? 0);
        expect(seen.map(({ read }) => read)).toEqual(idealReads(seen, times, warmBlocks));
        for (const { read, write5m, fresh, prompt } of seen) expect([read + write5m, fresh]).toEqual([prompt, 0]);
      }),
      { numRuns: 150 },
    );
  });

  test('anthropic: entries at markers, look-back, smallest prefix, lifetime', () => {
    fc.assert(
      fc.property(
        turnShapes,
        elisions,
        systems,
        fc.constantFrom('tail', 'last-two'),
        (turns, settings, system, planner) => {
          const session = sessionOf(turns, { system });
          const { seen } = replaySeen(session, { policy: () => elide.create(settings), planner });
          const times = session.requests.map(({ time }) => time ?? 0);
          const systemEnd = system > 0 ? 0 : -1;
          const expected = anthropicSplits(seen, times, (request, index) => {
            const tail = request.ids.length - 1;
            const previousTail = index === 0 ? -1 : request.ids.indexOf(seen[index - 1]?.ids.at(-1) as number);
            return planner === 'tail' ? [systemEnd, tail] : [systemEnd, previousTail, tail];
          });
          expect(seen.map(({ read, write5m, fresh }) => ({ read, write: write5m, fresh }))).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('what a request carries is what the policy says, rebuilt from scratch', () => {
    fc.assert(
      fc.property(turnShapes, elisions, (turns, settings) => {
        const session = sessionOf(turns);
        const { seen } = replaySeen(session, { policy: () => elide.create(settings) });
        session.requests.forEach((request, index) => {
          const expected = session.blocks.slice(0, request.at).map((block, at) => {
            const turn = session.turns.findLastIndex(({ firstBlock }) => firstBlock <= at);
            const tokens = block.size?.tokens ?? 0;
            const old = block.kind === 'result' && turn < request.turn - settings.recent_turns;
            return old && tokens > 100 ? 10 : tokens;
          });
          expect(seen[index]?.tokens).toEqual(expected);
        });
      }),
      { numRuns: 100 },
    );
  });

  test('the ideal cache never reads less than markers do', () => {
    fc.assert(
      fc.property(
        turnShapes,
        elisions,
        fc.constantFrom('anchor', 'tail', 'last-two', 'claude-code'),
        (turns, settings, planner) => {
          const policy = () => elide.create(settings);
          const ideal = replaySeen(sessionOf(turns), { policy, cache: 'ideal' }).seen;
          const marked = replaySeen(sessionOf(turns), { policy, planner }).seen;
          for (const [index, { read }] of marked.entries()) expect(read).toBeLessThanOrEqual(ideal[index]?.read ?? 0);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a window of all turns is the full history', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const settings = {
          recent_turns: turns.length,
          min_elide_chars: 0,
          min_elide_tokens: 0,
          stub_tokens: 1,
          terse_success: 'off',
        };
        const elided = replaySeen(sessionOf(turns), { policy: () => elide.create(settings), planner: 'tail' });
        const whole = replaySeen(sessionOf(turns), { policy: () => full.create({}), planner: 'tail' });
        expect(elided.edits).toBe(0);
        expect(elided.seen).toEqual(whole.seen);
      }),
      { numRuns: 50 },
    );
  });
});
