import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import type { Policy, PolicyKind } from '../../src/policies/policy.ts';
import { estimateTokens } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';
import { sessionOf, sonnet } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';

/** The defaults, and one more point for every value a choice may take. */
function points(kind: PolicyKind): string[] {
  const choices = Object.entries(kind.params).flatMap(([name, param]) =>
    param.type === 'choice' ? param.choices.map((choice) => `${kind.name}:${name}=${choice}`) : [],
  );
  return [kind.name, ...choices];
}

/** A window in which policies that go by one have something to do, as far as the shapes fill it. */
const small = {
  window: 24_000,
  outputReserve: 1000,
  resolveModel: (name: string) => ({ name, card: sonnet, limits: undefined }),
};

const chained = ['elide+fold', 'fold+elide', 'elide:recent_turns=1,terse_success=on+fold:record_trim=on'];
const specs = parsePolicies(
  [...policies.all.flatMap(points), ...presets.map(({ name }) => name), ...chained],
  policies,
  presets,
);

describe.each(policies.all)('$name', (kind) => {
  test('says what it does, what it comes from, and what each setting means', () => {
    expect(kind.summary).not.toBe('');
    expect(kind.source).not.toBe('');
    for (const param of Object.values(kind.params)) expect(param.doc).not.toBe('');
  });

  test('accepts its own defaults', () => {
    const text = Object.entries(kind.params).map(([name, param]) => `${name}=${param.default}`);
    const given = parsePolicies([text.length > 0 ? `${kind.name}:${text.join(',')}` : kind.name], policies);
    expect(given[0]?.settings).toEqual(parsePolicies([kind.name], policies)[0]?.settings);
  });
});

describe.each(presets)('preset $name', ({ name, policy, ...words }) => {
  test('is what its policy says, under its own name', () => {
    const [spec, ...others] = parsePolicies([name], policies, presets);
    const [own] = parsePolicies([policy], policies);
    expect(others).toEqual([]);
    expect(spec).toMatchObject({ label: name, kind: { name }, settings: own?.settings });
  });

  test('says what it is, whose, since when, and how that is known', () => {
    for (const word of Object.values(words)) expect(word).not.toBe('');
    expect(words.date).toMatch(/^\d{4}-\d{2}(-\d{2})?$/);
  });
});

const windowed = [...policies.all.filter(({ params }) => params.recent_turns).map(({ name }) => name), 'elide+fold'];

test.each(windowed)('%s with as many recent turns as there are is the full history', (name) => {
  const text = name.split('+').map((part) => `${part}:recent_turns=7`);
  const [spec] = parsePolicies([text.join('+')], policies, presets);
  fc.assert(
    fc.property(turnShapes, (turns) => {
      const account = estimateTokens(withTools(sessionOf(turns)));
      const create = (policy?: Policy) => policy ?? policies.get('full').create({});
      const whole = replayCounted(account, { policy: () => create(), ...small });
      const kept = replayCounted(account, { policy: () => create(spec?.kind.create(spec.settings)), ...small });
      expect([kept.edits, kept.callCounts.total]).toEqual([0, 0]);
      expect(kept.seen.map(({ ids }) => ids)).toEqual(whole.seen.map(({ ids }) => ids));
    }),
    { numRuns: 30 },
  );
});

describe.each(specs)('$label', ({ kind, settings }) => {
  /** What the requests carry, by the block that each view entry stands for. */
  const replay = (session: Session, create: () => Policy = () => kind.create(settings)) =>
    replayCounted(estimateTokens(session), { policy: create, planner: 'tail', ...small });

  /** Checks random sessions; every one holds commands, edits and questions besides views. */
  const holds = (check: (session: Session) => void, numRuns = 4) =>
    fc.assert(
      fc.property(turnShapes, (turns) => {
        check(withTools(sessionOf(turns)));
      }),
      { numRuns },
    );

  test('does the same twice', () => holds((session) => expect(replay(session)).toEqual(replay(session))));

  test('only appends, unless it says that it edited', () =>
    holds((session) => {
      const { seen, edits } = replay(session);
      // What was for one request only is taken back with the next.
      const most = Object.values(settings).includes('once') ? 2 * edits : edits;
      expect(seen.filter((_, at) => isRewritten(seen, at)).length).toBeLessThanOrEqual(most);
    }));

  test('what it does not edit costs what the whole history costs', () =>
    holds((session) => {
      const { edits, ledger, seen, callCounts } = replay(session);
      if (edits + callCounts.total > 0) return;
      const whole = replay(session, () => policies.get('full').create({}));
      expect(seen).toEqual(whole.seen);
      expect(ledger).toEqual(whole.ledger);
    }));

  test('changes what was sent at the start of a turn only, unless its kind says otherwise', () =>
    holds((session) => {
      if (kind.editsInsideTurns) return;
      const { seen } = replay(session);
      session.requests.forEach(({ turn }, at) => {
        if (session.requests[at - 1]?.turn === turn) expect(isRewritten(seen, at)).toBe(false);
      });
    }));

  test('never sends half of a call', () =>
    holds((session) => {
      for (const blocks of replay(session).origins) {
        const present = new Set(blocks);
        const halves = (wanted: string) =>
          [...present].flatMap((at) => (session.blocks[at]?.kind === wanted ? [session.blocks[at]?.callId] : []));
        expect(halves('call').sort()).toEqual(halves('result').sort());
      }
    }));

  test('is billed alike, whatever was replayed before', () =>
    holds((session) => {
      const first = replay(session);
      replay(withTools(sessionOf([{ prompt: 9, reply: 9, rounds: [] }])));
      const again = replay(session);
      expect([again.ledger, again.calls, again.callCounts]).toEqual([first.ledger, first.calls, first.callCounts]);
    }, 4));

  test('counts its calls, in whole tokens', () =>
    holds((session) => {
      const { calls, callCounts } = replay(session);
      expect(callCounts.fresh + callCounts.shared + callCounts.server).toBe(callCounts.total);
      for (const { usage } of calls)
        for (const count of Object.values(usage)) expect(Number.isSafeInteger(count)).toBe(true);
      if (callCounts.total === 0) expect(calls).toEqual([]);
    }));

  test('never sees one usage figure again after it changed what that was measured on', () =>
    holds((session) => {
      const stale: unknown[] = [];
      replay(session, () => watching(kind.create(settings), stale));
      expect(stale).toEqual([]);
    }));
});

type Session = Parameters<typeof estimateTokens>[0];
type Seen = ReturnType<typeof replayCounted>['seen'];

function isRewritten(seen: Seen, at: number): boolean {
  return (seen[at - 1]?.ids ?? []).some((id, position) => seen[at]?.ids[position] !== id);
}

/** The session with views, commands, edits and questions by turns, and the sizes that records are made of. */
function withTools(session: Session): Session {
  const actions = ['view', 'exec', 'edit', 'ask', 'exec'] as const;
  const actionOf = (callId: string) => actions[Number(callId.slice(1)) % actions.length] as (typeof actions)[number];
  return {
    ...session,
    blocks: session.blocks.map((block) => {
      if (block.callId === undefined || !block.size) return block;
      const action = actionOf(block.callId);
      const derived = {
        ...block.size.derived,
        ...(block.kind === 'call' ? { target: 6, command: 9 } : { completionLine: 5 }),
      };
      return { ...block, action, target: `t${Number(block.callId.slice(1)) % 7}`, size: { ...block.size, derived } };
    }),
  };
}

/** Notes every usage figure that a member still sees after sticky edits of things that it was measured on. */
function watching(policy: Policy, stale: unknown[]): Policy {
  if (policy.members) return { ...policy, members: policy.members.map((member) => watching(member, stale)) };
  let outdated: unknown;
  return {
    events: policy.events,
    on: (event, state) => {
      if (outdated !== undefined && state.lastUsage === outdated) stale.push(outdated);
      const plan = policy.on(event, state);
      const settled = event === 'ingest' ? state.ingestFirst : Number.POSITIVE_INFINITY;
      if (plan?.edits?.some((edit) => edit.sticky && edit.from < settled)) outdated = state.lastUsage;
      return plan;
    },
  };
}
