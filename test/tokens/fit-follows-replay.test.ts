import fc from 'fast-check';
import { expect, test } from 'vitest';
import { full } from '../../src/policies/full.ts';
import { recorded } from '../../src/policies/recorded.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session } from '../../src/session/index.ts';
import { countSession } from '../../src/tokens/index.ts';
import { recordedPrompt } from '../../src/tokens/recorded-usage.ts';
import { replayCounted } from '../replay/run.ts';
import { size } from '../sessions.ts';

/** Models of one tokenizer generation: two keep thinking, two strip it. */
const claude = fc.constantFrom('claude-opus-4-5', 'claude-opus-4-6', 'claude-sonnet-4-5', 'claude-haiku-4-5');
/** The same among models of another generation. */
const gpt = fc.constantFrom('gpt-5.5', 'gpt-5.6', 'gpt-5.1-codex');
const models = fc.oneof(
  fc.record({ session: claude, others: fc.array(claude, { maxLength: 3 }), instead: fc.option(claude) }),
  fc.record({ session: gpt, others: fc.array(gpt, { maxLength: 3 }), instead: fc.option(gpt) }),
);

/** Anything that a recording may hold between two requests, and the request: sizes that fit, shrink, swell or say nothing. */
const step = fc.record({
  opens: fc.constantFrom('', '', '', 'turn', 'turn', 'segment', 'segment with turn', 'segment within turn'),
  keeps: fc.array(fc.nat(60), { maxLength: 12 }),
  before: fc.array(fc.constantFrom('prompt', 'meta', 'thinking', 'summary', 'image'), { maxLength: 2 }),
  tokens: fc.oneof(fc.nat(3), fc.nat(3000)),
  model: fc.nat(3),
  record: fc.constantFrom('usage', 'usage', 'usage', 'totals', 'none', 'none', 'no request'),
  change: fc.oneof(fc.integer({ min: -6000, max: 8000 }), fc.integer({ min: -3, max: 3 }), fc.constant(-1e9)),
  reply: fc.array(fc.constantFrom('thinking', 'thinking', 'reply', 'call'), { maxLength: 3 }),
  result: fc.boolean(),
  output: fc.nat(2000),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Kind = Session['blocks'][number]['kind'];

function build(
  steps: readonly Step[],
  model: string,
  others: readonly string[],
  counts: 'model' | 'o200k_base',
): Session {
  const builder = new SessionBuilder();
  let prompt = 3000;
  const block = (kind: string, tokens: number, callId?: string) =>
    builder.block({
      kind: kind as Kind,
      size: size(tokens, { stub: 10 }),
      ...(kind === 'thinking' && tokens % 3 === 0 ? { hiddenTokens: tokens % 500 } : {}),
      ...(callId === undefined ? {} : { callId }),
    });
  for (const [
    at,
    { opens, keeps, before, tokens, record, change, reply, result, output, ...rest },
  ] of steps.entries()) {
    if (opens.startsWith('segment'))
      builder.segment(
        'compaction',
        [...new Set(keeps)].filter((id) => id < builder.blockCount).sort((a, b) => a - b),
      );
    if (opens.endsWith('turn')) builder.turn(opens === 'segment within turn');
    before.forEach((kind, index) => void block(kind, tokens + index));
    if (record === 'no request') continue;
    prompt = Math.max(0, prompt + change);
    const named = others[rest.model];
    const usage = { fresh: prompt, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output };
    builder.request({
      ...(named === undefined ? {} : { model: named }),
      ...(record === 'usage' ? { usage } : {}),
      ...(record === 'totals' ? { totals: { prompt, output } } : {}),
    });
    reply.forEach((kind, index) => void block(kind, tokens + 7 * index, `c${at}.${index}`));
    if (result && reply.at(-1) === 'call') block('result', tokens * 2, `c${at}.${reply.length - 1}`);
  }
  return builder.build({ id: 's', content: 'sizes', tokenizer: counts, model });
}

test('every recorded prompt is carried to the token, whatever happened in the session', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      models,
      fc.constantFrom('model' as const, 'o200k_base' as const),
      (steps, { session: model, others, instead }, counts) => {
        const session = build(steps, model, others, counts);
        for (const replaced of instead === null ? [undefined] : [undefined, instead]) {
          const account = countSession(session, replaced);
          expect(account.blocks.every((tokens) => tokens >= 0)).toBe(true);
          const run = (kind: typeof full) =>
            replayCounted(account, { policy: () => kind.create({}), cache: 'none', model: replaced });
          const { seen, edits } = run(recorded);
          const told = session.requests.map((request, at) => recordedPrompt(request) || seen[at]?.prompt);
          expect(seen.map(({ prompt }) => prompt)).toEqual(told);
          expect(edits).toBe(account.fit?.edits.length ?? 0);
          expect(run(full).seen).toHaveLength(session.requests.length);
        }
      },
    ),
    { numRuns: 600 },
  );
});
