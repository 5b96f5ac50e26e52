import { expect, test } from 'vitest';
import { SessionBuilder } from '../../src/session/builder.ts';
import { countSession, estimateTokens, tokenReport } from '../../src/tokens/index.ts';
import { size } from '../sessions.ts';

const usage = (prompt: number) => ({ fresh: prompt, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 100 });

/** Prompt of 100, then a call of 100, a result of 300 and one of 100; recorded prompts of 1,000 and 2,000 tokens. */
function session(recorded: boolean) {
  const builder = new SessionBuilder();
  builder.turn();
  builder.block({ kind: 'prompt', size: size(100) });
  builder.request(recorded ? { usage: usage(1000) } : {});
  builder.block({ kind: 'call', callId: 'c', size: size(100) });
  builder.block({ kind: 'result', callId: 'c', size: size(300) });
  builder.block({ kind: 'meta', size: size(100) });
  builder.request(recorded ? { usage: usage(2000) } : {});
  builder.block({ kind: 'reply', size: size(100) });
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

test('says what share was measured, apportioned or estimated, and the characters per token of each kind', () => {
  const report = tokenReport(countSession(session(true)));
  // The opening of 900 is what the first prompt shows beyond its visible 100; a growth of 1,000 is shared by three blocks; the
  // last reply is in no prompt, and estimated at the ratio of 2 that was found. In all 900 + 100 + 1,000 + 200 tokens.
  expect(report).toMatchObject({ measured: 900 / 2200, apportioned: 1100 / 2200, estimated: 200 / 2200 });
  // The call has the 100 tokens of its billed output, so 900 are left for 400 estimated ones: 3 × 400 / 900.
  expect(report?.charsPerToken.result).toBeCloseTo((3 * 400) / 900, 2);
  expect(report?.charsPerToken.call).toBe(3);
  // Grown by 1,000 where 500 were estimated.
  expect(report?.residual).toBe(0.5);
});

test('nothing recorded: nothing to report, and the estimate says what such estimates are off by', () => {
  expect(tokenReport(countSession(session(false)))).toBeUndefined();
  expect(estimateTokens({ ...session(false), tokenizer: 'o200k_base' }).uncertainty).toBe(0.15);
  expect(estimateTokens(session(false)).uncertainty).toBeUndefined();
});
