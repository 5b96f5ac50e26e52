import { describe, expect, it } from 'vitest';
import { answerOf } from '../../src/analysis/index.ts';
import type { ResultRow, Verdict } from '../../src/results/result.ts';

function row(label: string, verdict: Verdict, saving: number | null, more: Partial<ResultRow> = {}): ResultRow {
  return {
    policy: label.split(':')[0] ?? label,
    params: {},
    label,
    model: 'm',
    cache: 'anthropic',
    breakpoints: 'anchor',
    ttl: 'recorded',
    serviceTier: 'standard',
    region: 'global',
    unpricedTokens: 0,
    isBaseline: false,
    usage: { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 },
    cost: { total: 0, fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0, storage: 0, summarizer: 0 },
    calls: { total: 0, fresh: 0, shared: 0, server: 0, malformed: 0, failed: 0, oversized: 0, canceled: 0, stale: 0 },
    refetch: null,
    saving,
    savingRecordedMarkers: null,
    regret: label === 'optimum' ? null : 0.1,
    ci95: saving === null ? null : [saving - 0.015, saving + 0.016],
    ci95RecordedMarkers: null,
    effectiveSessions: null,
    signTest: null,
    few: false,
    verdict,
    sessions: { cheaper: 44, equal: 0, dearer: 0, neverFired: 0, unsendable: 0, notApplicable: 0, unpriced: 0 },
    ...more,
  };
}

const full = row('full', 'never fired', null, { isBaseline: true });
const counts = { sessions: 44 };

describe('answerOf', () => {
  it('names the best setting and the worst neighbour of the same policy', () => {
    const rows = [
      full,
      row('optimum', 'saves', 0.4),
      row('elide:recent_turns=0', 'saves', 0.213),
      row('elide:recent_turns=1', 'saves', 0.1),
      row('elide:recent_turns=4', 'costs more', -0.031),
      row('heph', 'saves', 0.15),
      row('bi', 'costs more', -0.2),
    ];
    expect(answerOf(rows, counts)).toBe(
      'Best of 5: elide (recent_turns=0) saves 21.3 % (19.8 to 22.9 %) over 44 sessions; recent_turns=4 costs 3.1 % more; in hindsight elisions could save 40.0 %.',
    );
  });

  it('warns of another policy where the same one has no loser, and of nothing where nobody loses', () => {
    const winners = [full, row('elide:recent_turns=0', 'saves', 0.213), row('heph', 'saves', 0.1)];
    expect(answerOf(winners, counts)).toBe(
      'Best of 2: elide (recent_turns=0) saves 21.3 % (19.8 to 22.9 %) over 44 sessions.',
    );
    expect(answerOf([...winners, row('bi:n=3', 'costs more', -0.2)], counts)).toMatch(
      /; bi \(n=3\) costs 20\.0 % more\.$/,
    );
  });

  it('does not call an unproven saving the best', () => {
    const rows = [full, row('heph', 'unclear', 0.3), row('bi', 'saves', 0.1)];
    expect(answerOf(rows, counts)).toBe(
      'Best of 2: bi saves 10.0 % (8.5 to 11.6 %) over 44 sessions; heph is unclear at 30.0 % (28.5 to 31.6 %).',
    );
  });

  it('says what is left with the markers of the harness, where that is something else', () => {
    const elide = row('elide', 'saves', 0.2, { savingRecordedMarkers: 0.075 });
    const worse = row('elide', 'saves', 0.2, { savingRecordedMarkers: -0.031 });
    const same = row('elide', 'saves', 0.2, { savingRecordedMarkers: 0.195 });
    const harness = ', if cache markers stand where it needs them; with those of the recorded harness';
    expect(answerOf([full, elide], counts)).toBe(
      `elide saves 20.0 % (18.5 to 21.6 %) over 44 sessions${harness} +7.5 %.`,
    );
    expect(answerOf([full, worse, row('bi', 'costs more', -0.2)], counts)).toContain(`${harness} -3.1 %; bi costs`);
    expect(answerOf([full, same], counts)).not.toContain('markers');
  });

  it('names no part of a preset, which shows where its saving comes from', () => {
    const part = row('heph (elision alone)', 'saves', 0.3, { partOf: 'heph' });
    expect(answerOf([full, row('heph', 'saves', 0.2), part], counts)).toMatch(/^heph saves 20\.0 %/);
  });

  it('says that nothing saves', () => {
    const rows = [
      full,
      row('elide:recent_turns=0', 'breaks even', 0.003),
      row('elide:recent_turns=4', 'costs more', -0.031),
      row('optimum', 'saves', 0.2),
    ];
    expect(answerOf(rows, counts)).toBe(
      'None of 2 settings saves over 44 sessions: elide (recent_turns=0) breaks even at 0.3 % (-1.2 to 1.9 %); recent_turns=4 costs 3.1 % more; in hindsight elisions could save 20.0 %.',
    );
  });

  it('says when nothing fired or nothing could be sent', () => {
    const idle = [full, row('a', 'never fired', 0), row('b', 'unsendable', null)];
    expect(answerOf(idle, counts)).toBe('None of 2 settings fired over 44 sessions: nothing changes.');
    // What could not be sent is not what nothing happened to.
    const sessions = { cheaper: 0, equal: 4, dearer: 0, neverFired: 4, unsendable: 40, notApplicable: 0, unpriced: 0 };
    expect(answerOf([full, row('a', 'never fired', 0, { sessions })], counts)).toBe(
      'a never fired over 4 of 44 sessions.',
    );
    expect(
      answerOf([full, row('a', 'never fired', 0, { sessions }), row('b', 'never fired', 0, { sessions })], counts),
    ).toBe(
      'None of 2 settings fired over 4 of 44 sessions; 40 of 44 sessions could not be sent under a row or the baseline: compare with a policy that makes them fit (--baseline POLICY).',
    );
    const dark = [full, row('a', 'unpriced', null), row('b', 'unpriced', null)];
    expect(answerOf(dark, counts)).toBe('None of 2 settings can be priced over 44 sessions (--prices FILE).');
    const stuck = [full, row('a', 'unsendable', null), row('b', 'unsendable', null)];
    expect(answerOf(stuck, counts)).toBe('None of 2 settings could be sent over 44 sessions.');
    expect(answerOf([full], counts)).toMatch(/^Nothing to compare/);
    expect(answerOf([full, row('optimum', 'saves', 0.2)], counts)).toMatch(
      /^Nothing to compare.* could save 20\.0 %\.$/,
    );
  });

  it('says how few sessions there were, and how many of them compare', () => {
    const few = row('heph', 'saves', 0.1, {
      ci95: null,
      few: true,
      sessions: { cheaper: 2, equal: 0, dearer: 0, neverFired: 0, unsendable: 1, notApplicable: 0, unpriced: 0 },
    });
    expect(answerOf([full, few], { sessions: 3 })).toBe(
      'heph saves 10.0 % over 2 of 3 sessions, too few for an interval.',
    );
    const lone = row('heph', 'costs more', -0.1, {
      ci95: null,
      few: true,
      sessions: { cheaper: 0, equal: 0, dearer: 1, neverFired: 0, unsendable: 0, notApplicable: 0, unpriced: 0 },
    });
    expect(answerOf([full, lone], { sessions: 1 })).toBe(
      'heph costs 10.0 % more over 1 session, too few for an interval.',
    );
  });

  it('says what share of the tokens has no price, from one in a hundred on', () => {
    const usage = { fresh: 900, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
    const saying = (unpricedTokens: number) =>
      answerOf([full, row('heph', 'saves', 0.1, { usage, unpricedTokens })], counts);
    expect(saying(100)).toBe(
      'heph saves 10.0 % (8.5 to 11.6 %) over 44 sessions, 10.0 % of its tokens without a price.',
    );
    expect(saying(9)).toBe('heph saves 10.0 % (8.5 to 11.6 %) over 44 sessions.');
  });
});
