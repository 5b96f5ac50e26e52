import { describe, expect, test } from 'vitest';
import { laterUses } from '../../src/analysis/later-uses.ts';
import { RefetchRisk } from '../../src/analysis/refetch.ts';
import { elide } from '../../src/policies/elide.ts';
import { full } from '../../src/policies/full.ts';
import { costOf, expectedLedger, mergeLedgers, usageOf } from '../../src/results/index.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session, ToolAction } from '../../src/session/index.ts';
import { make } from '../policies/defaults.ts';
import { replaySeen } from '../replay/run.ts';
import { size, sonnet } from '../sessions.ts';

const line = 'const answer = everything(but, the, question);';

/** Two turns, each with one round; the second one's call and reply say what they use. */
function session(second: { action?: ToolAction; target?: string; call?: string; reply?: string }): Session {
  const builder = new SessionBuilder();
  const facts = { tool: 'T', action: 'view' as ToolAction, target: 'a.ts' };
  builder.block({ kind: 'system', size: size(2000) });
  builder.turn();
  builder.block({ kind: 'prompt', text: 'p', size: size(100) });
  builder.request({ time: 0 });
  builder.block({ kind: 'call', callId: 'c1', ...facts, text: '{"path":"a.ts"}', size: size(50) });
  builder.block({
    kind: 'result',
    callId: 'c1',
    ...facts,
    text: `  12\t${line}\nrest`,
    size: size(1000, { stub: 10 }),
  });
  builder.request({ time: 1000 });
  builder.block({ kind: 'reply', text: 'done', size: size(20) });
  builder.turn();
  builder.block({ kind: 'prompt', text: 'q', size: size(100) });
  builder.request({ time: 2000 });
  const { action = 'todo', target, call = '{}', reply = 'done' } = second;
  const used = { tool: 'T', action, ...(target === undefined ? {} : { target }) };
  builder.block({ kind: 'call', callId: 'c2', ...used, text: call, size: size(50) });
  builder.block({ kind: 'result', callId: 'c2', ...used, text: 'ok', size: size(30) });
  builder.request({ time: 3000 });
  builder.block({ kind: 'reply', text: reply, size: size(20) });
  return builder.build({ id: 's', content: 'text', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

const firstResult = 3;

describe('a result is used later', () => {
  test.each([
    ['the same target is read again', { action: 'view', target: 'a.ts' }, 6],
    ['its file is edited', { action: 'edit', target: 'a.ts' }, 6],
    ['a call quotes a line of it', { action: 'edit', target: 'b.ts', call: `{"old":"x\\n${line}\\n"}` }, 6],
    ['a reply quotes a line of it', { reply: `It says:\n    ${line}\nand so on` }, 8],
  ] as const)('where %s', (_, second, block) => {
    expect([...laterUses(session(second))]).toEqual([[block, [firstResult]]]);
  });

  test.each([
    ['another target is read', { action: 'view', target: 'b.ts' }],
    ['the same words are a search', { action: 'search', target: 'a.ts' }],
    ['a short line is repeated', { reply: 'rest' }],
  ] as const)('not where %s', (_, second) => {
    expect(laterUses(session(second)).size).toBe(0);
  });
});

describe('the risk of a policy', () => {
  const riskOf = (of: Session, policy = make(elide, { recent_turns: 0 }), cache = 'ideal') => {
    let risk: RefetchRisk | undefined;
    replaySeen(of, {
      policy,
      cache,
      observe: (timeline) => {
        risk = new RefetchRisk(timeline, laterUses(timeline.session));
        return risk;
      },
    });
    return risk as RefetchRisk;
  };
  const usageOfRisk = (risk: RefetchRisk) => risk.entries().map(({ usage }) => usage);

  test('what was taken out and used: one more round over the prompt, and the result until the turn ends', () => {
    const risk = riskOf(session({ action: 'view', target: 'a.ts' }));
    expect([risk.elided.size, risk.atRisk.size]).toEqual([1, 1]);
    // The prompt of the third request: 2,000 + 100 + 50 + stub 10 + reply 20 + prompt 100 = 2,280, read once more; call and
    // result, 1,050, written, and read in the two requests that are left of the turn.
    expect(usageOfRisk(risk)).toEqual([
      { fresh: 0, cacheRead: 2280 + 2 * 1050, cacheWrite5m: 1050, cacheWrite1h: 0, output: 50 },
    ]);
    expect(usageOfRisk(riskOf(session({ action: 'view', target: 'a.ts' }), undefined, 'none'))).toEqual([
      { fresh: 2280 + 2 * 1050, cacheRead: 0, cacheWrite5m: 1050, cacheWrite1h: 0, output: 50 },
    ]);
  });

  test('nothing, where nothing was taken out, or nothing of it was used', () => {
    expect(riskOf(session({ action: 'view', target: 'a.ts' }), make(full)).atRisk.size).toBe(0);
    const risk = riskOf(session({}));
    expect([risk.elided.size, risk.atRisk.size, risk.entries()]).toEqual([1, 0, []]);
  });
});

test('an expected ledger costs its share and counts no tokens', () => {
  const ledger = [
    {
      key: 'k',
      rates: sonnet.tiers[0]?.rates ?? expect.unreachable(),
      usage: { fresh: 0, cacheRead: 1_000_000, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 },
    },
  ];
  const both = mergeLedgers([ledger, expectedLedger(ledger, 0.5)]);
  expect(costOf(both).total).toBeCloseTo(0.45, 12);
  expect(usageOf(both).cacheRead).toBe(1_000_000);
});
