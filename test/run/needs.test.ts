import { describe, expect, test } from 'vitest';
import { summarize } from '../../src/analysis/index.ts';
import { elide } from '../../src/policies/elide.ts';
import { full } from '../../src/policies/full.ts';
import type { PolicyKind } from '../../src/policies/policy.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import type { Result } from '../../src/results/result.ts';
import { replaySession } from '../../src/run/job.ts';
import { unmetNeeds } from '../../src/run/needs.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session } from '../../src/session/session.ts';
import { sessionOf } from '../sessions.ts';

const prices = await loadPriceBook();

const timed: PolicyKind = { ...elide, name: 'timed', needs: ['times'] };
const settings = { recent_turns: 0, min_elide_chars: 300, min_elide_tokens: 60, stub_tokens: 15, terse_success: 'off' };
const rows = [
  { kind: full, settings: {}, label: 'full' },
  { kind: timed, settings, label: 'timed' },
];

const turns = [1, 2].map(() => ({ prompt: 50, reply: 40, rounds: [{ call: 30, result: 5000 }] }));

async function resultOf(sessions: readonly Session[]): Promise<Result> {
  const options = {
    rows,
    baseline: 0,
    prices,
    ttl: '5m',
    outputReserve: 0,
    recordedEvents: true,
    expectLosses: false,
  } as const;
  const outcomes = await Promise.all(
    sessions.map((session) => replaySession(session, { file: 'f', format: 'native' }, options)),
  );
  const meta = {
    baseline: 0,
    version: '0',
    prices: '',
    seed: 1,
    ttl: '5m',
    service: { tier: 'standard', region: 'global' },
    pricedAt: '',
    expectsLosses: false,
    outputReserve: 0,
    findings: [],
    leftOut: 0,
  };
  return summarize(outcomes, {
    ...meta,
    rows: rows.map(({ kind, label, settings: params }) => ({ policy: kind.name, params, label })),
  });
}

const withTimes = sessionOf(turns, { id: 'a' });
const without = sessionOf(turns, { id: 'b', times: false });

describe('a policy that needs times', () => {
  test('is compared over the sessions that have them, and the others are counted', async () => {
    const { rows: both } = await resultOf([withTimes, without]);
    const { rows: one } = await resultOf([withTimes]);
    expect(both[1]?.saving).toBe(one[1]?.saving);
    expect(both[1]?.usage).toEqual(one[1]?.usage);
    expect(both[1]?.sessions).toEqual({
      cheaper: 1,
      equal: 0,
      dearer: 0,
      neverFired: 0,
      unsendable: 0,
      notApplicable: 1,
      unpriced: 0,
    });
    expect(both[0]?.sessions.notApplicable).toBe(0);
  });

  test('is not applicable where none has them, and costs nothing known', async () => {
    const result = await resultOf([without]);
    expect(result.rows[1]).toMatchObject({ verdict: 'not applicable', saving: null });
    expect(result.rows[1]?.sessions).toMatchObject({ cheaper: 0, neverFired: 0, unsendable: 0, notApplicable: 1 });
    expect(result.sessions[0]?.cost).toMatchObject({ timed: null });
    expect(result.answer).toContain('is not applicable');
    expect(result.assumptions.notes.join('\n')).toContain('some policies need times');
  });
});

test('what a session lacks', () => {
  const nameless = sessionOf(turns);
  const blocks = nameless.blocks.map(({ tool: _tool, action: _action, ...block }) => block);
  expect(unmetNeeds(without, ['times', 'tools'])).toEqual(['times']);
  expect(unmetNeeds(withTimes, ['times', 'tools'])).toEqual([]);
  expect(unmetNeeds({ ...nameless, blocks }, ['tools'])).toEqual(['tools']);
  expect(unmetNeeds(withTimes)).toEqual([]);
});

test('a conversation without tools lacks nothing; one of which only token counts are known does', () => {
  const talk = (chars: number) => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: { chars, lines: 1, tokens: 10 } });
    builder.request({});
    return builder.build({ id: 's', content: 'sizes', tokenizer: 'model' });
  };
  expect(unmetNeeds(talk(40), ['tools'])).toEqual([]);
  expect(unmetNeeds(talk(0), ['tools'])).toEqual(['tools']);
});
