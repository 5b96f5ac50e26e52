import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policies } from '../../src/policies/index.ts';
import type { PolicyKind } from '../../src/policies/policy.ts';
import { parsePolicies } from '../../src/policies/spec.ts';
import { estimateTokens } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';
import { sessionOf } from '../sessions.ts';
import { turnShapes } from '../turn-shapes.ts';

/** The defaults, and one more point for every value a choice may take. */
function points(kind: PolicyKind): string[] {
  const choices = Object.entries(kind.params).flatMap(([name, param]) =>
    param.type === 'choice' ? param.choices.map((choice) => `${kind.name}:${name}=${choice}`) : [],
  );
  return [kind.name, ...choices];
}

const specs = parsePolicies(policies.all.flatMap(points), policies);

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

describe.each(specs)('$label', ({ kind, settings }) => {
  /** What the requests carry, by the block that each view entry stands for. */
  const replay = (session: Parameters<typeof estimateTokens>[0]) =>
    replayCounted(estimateTokens(session), { policy: () => kind.create(settings), planner: 'tail' });

  test('does the same twice', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const session = sessionOf(turns);
        expect(replay(session)).toEqual(replay(session));
      }),
      { numRuns: 20 },
    );
  });

  test('only appends, unless it says that it edited', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const { seen, edits } = replay(sessionOf(turns));
        const rewrites = seen.filter(({ ids }, at) => {
          const before = seen[at - 1]?.ids ?? [];
          return before.some((id, position) => ids[position] !== id);
        });
        expect(rewrites.length).toBeLessThanOrEqual(edits);
      }),
      { numRuns: 50 },
    );
  });

  test('never sends half of a call', () => {
    fc.assert(
      fc.property(turnShapes, (turns) => {
        const session = sessionOf(turns);
        const { origins } = replay(session);
        for (const blocks of origins) {
          const present = new Set(blocks);
          const halves = (wanted: string) =>
            [...present].flatMap((at) => (session.blocks[at]?.kind === wanted ? [session.blocks[at]?.callId] : []));
          expect(halves('call').sort()).toEqual(halves('result').sort());
        }
      }),
      { numRuns: 50 },
    );
  });
});
