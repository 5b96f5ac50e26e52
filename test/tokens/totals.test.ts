import { describe, expect, test } from 'vitest';
import { recorded } from '../../src/policies/recorded.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session } from '../../src/session/index.ts';
import { countSession, estimateTokens } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';
import { size } from '../sessions.ts';

const totals = (prompt: number, output: number) => ({ totals: { prompt, output } });

/** Prompts of 50,000, 52,000 and 54,000 tokens, of which 2,000 and twice 1,000 more are shown; every reply was billed as 500. */
function withTotals(): Session {
  const builder = new SessionBuilder();
  builder.block({ kind: 'meta', size: size(1000) });
  builder.turn();
  builder.block({ kind: 'prompt', size: size(1000) });
  for (const [at, prompt] of [50_000, 52_000, 54_000].entries()) {
    builder.request(totals(prompt, 500));
    builder.block({ kind: 'call', callId: `c${at}`, size: size(100) });
    builder.block({ kind: 'result', callId: `c${at}`, size: size(900) });
  }
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-opus-4-5' });
}

describe('prompts that were recorded without their split', () => {
  test('size the blocks', () => {
    const account = countSession(withTotals());
    // Hidden 48,000; a growth of 2,000 is the reply of 500 and a result of 1,500; the last round is twice its size too.
    expect([...account.blocks]).toEqual([48_000, 1000, 1000, 500, 1500, 500, 1500, 200, 1800]);
    expect([...account.outputs]).toEqual([500, 500, 500]);
    const { seen } = replayCounted(account, { policy: () => recorded.create({}), cache: 'none' });
    expect(seen.map(({ prompt }) => prompt)).toEqual([50_000, 52_000, 54_000]);
  });

  test('show the hidden opening to an estimate too', () => {
    expect([...estimateTokens(withTotals()).blocks].slice(0, 3)).toEqual([48_000, 1000, 1000]);
  });

  test("leave the model's own counts alone where these add up, whatever was billed", () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'system', size: size(1000) });
    builder.turn();
    builder.request(totals(1000, 300));
    builder.block({ kind: 'call', callId: 'a', size: size(200) });
    builder.block({ kind: 'result', callId: 'a', size: size(50) });
    builder.request(totals(1250, 70));
    builder.block({ kind: 'reply', size: size(70) });
    const account = countSession(
      builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' }),
    );
    expect([...account.blocks]).toEqual([1000, 200, 50, 70]);
    expect([...account.outputs]).toEqual([300, 70]);
    expect(account.estimatedShare).toBe(0);
  });

  test('stand where a request beside them has usage', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ usage: { fresh: 2000, cacheRead: 3000, cacheWrite5m: 0, cacheWrite1h: 0, output: 10 } });
    builder.block({ kind: 'reply', size: size(10) });
    builder.block({ kind: 'meta', size: size(100) });
    builder.request(totals(5210, 10));
    // Hidden 4,900; 210 more: the reply of 10, and 200.
    expect([
      ...countSession(builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-opus-4-5' }))
        .blocks,
    ]).toEqual([4900, 100, 10, 200]);
  });
});
