import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { full } from '../../src/policies/full.ts';
import { recorded } from '../../src/policies/recorded.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { promptTokens, type Session } from '../../src/session/index.ts';
import { apportion } from '../../src/tokens/apportion.ts';
import { countSession, stripsThinking } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';
import { size } from '../sessions.ts';

const usage = (prompt: number, output: number) => ({
  fresh: prompt,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
});

/** What a made-up recording consists of: rounds of a reply (with thinking or not), a result, and what the provider counted. */
const rounds = fc.array(
  fc.record({
    newTurn: fc.boolean(),
    reset: fc.constantFrom(false, false, false, false, true),
    thinking: fc.nat(300),
    reply: fc.nat(300),
    result: fc.nat(3000),
    prompt: fc.integer({ min: 1, max: 60_000 }),
    output: fc.nat(900),
    isRecorded: fc.constantFrom(true, true, true, false),
  }),
  { minLength: 1, maxLength: 25 },
);

type Rounds = typeof rounds extends fc.Arbitrary<infer T> ? T : never;

function build(shape: Rounds, model: string, withUsage = true): Session {
  const builder = new SessionBuilder();
  shape.forEach((round, index) => {
    if (round.reset && index > 0) builder.segment('compaction', [0]);
    if (round.newTurn || index === 0) {
      builder.turn();
      builder.block({ kind: 'prompt', size: size(50) });
    }
    builder.request(withUsage && round.isRecorded ? { usage: usage(round.prompt, round.output) } : {});
    if (round.thinking > 0) builder.block({ kind: 'thinking', size: size(round.thinking) });
    builder.block({ kind: 'call', callId: `c${index}`, tool: 'Read', action: 'view', size: size(round.reply) });
    builder.block({ kind: 'result', callId: `c${index}`, size: size(round.result, { stub: 10 }) });
  });
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model });
}

const models = fc.constantFrom('claude-opus-4-6', 'claude-sonnet-4-5', 'gpt-5.5');

describe('the fit', () => {
  test('the blocks of every recorded request add up to its prompt, and none is negative', () => {
    fc.assert(
      fc.property(rounds, models, (shape, model) => {
        const session = build(shape, model);
        const account = countSession(session);
        expect(account.blocks.every((tokens) => tokens >= 0)).toBe(true);
        const { seen } = replayCounted(account, { policy: () => recorded.create({}), cache: 'none' });
        session.requests.forEach((request, index) => {
          if (request.usage) expect(seen[index]?.prompt).toBe(promptTokens(request.usage));
        });
      }),
      { numRuns: 400 },
    );
  });

  test('full never carries less than what was recorded', () => {
    fc.assert(
      fc.property(rounds, models, (shape, model) => {
        const account = countSession(build(shape, model));
        const run = (kind: typeof full) =>
          replayCounted(account, { policy: () => kind.create({}), cache: 'none' }).seen;
        const swollen = account.fit?.edits.some(({ from, to }) => from === to) ?? false;
        // An edit may also stand for what grew unseen; where there are none of those, edits only take away.
        if (swollen) return;
        const carried = run(recorded);
        const whole = run(full);
        // What is left of thinking in a stub is not dropped with the thinking, where the model drops any.
        const isInStub = (id: number, at: number) =>
          account.session.blocks[id]?.kind === 'thinking' && !carried[at]?.ids.includes(id);
        if (stripsThinking(model) && whole.some(({ ids }, at) => ids.some((id) => isInStub(id, at)))) return;
        for (const [index, { prompt }] of whole.entries())
          expect(prompt).toBeGreaterThanOrEqual(carried[index]?.prompt ?? 0);
      }),
      { numRuns: 60 },
    );
  });

  test('a session has the same structure with usage and without', () => {
    fc.assert(
      fc.property(rounds, models, (shape, model) => {
        const fitted = countSession(build(shape, model)).session;
        const plain = countSession(build(shape, model, false)).session;
        const visible = fitted.blocks.filter(
          ({ size: sizes, hiddenTokens }) => sizes?.chars !== 0 || hiddenTokens === undefined,
        );
        expect(visible.map(({ kind }) => kind)).toEqual(plain.blocks.map(({ kind }) => kind));
        expect(fitted.requests.map(({ turn, outputs }) => [turn, outputs])).toEqual(
          plain.requests.map(({ turn, outputs }) => [turn, outputs]),
        );
      }),
      { numRuns: 100 },
    );
  });

  test('nothing of a later request changes what an earlier one was counted as', () => {
    fc.assert(
      fc.property(rounds, models, (shape, model) => {
        const all = countSession(build(shape, model)).blocks;
        const some = countSession(build(shape.slice(0, -1), model)).blocks;
        const last = build(shape.slice(0, -1), model).requests.findLast((request) => request.usage);
        // Blocks that no recorded prompt of the shorter session covers are estimates there.
        const covered = last ? last.at : 0;
        expect([...some.slice(0, covered)]).toEqual([...all.slice(0, covered)]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('by hand', () => {
  test('growth is shared: the reply as billed, the rest among what is new', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ usage: usage(5000, 40) });
    builder.block({ kind: 'reply', size: size(30) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(100) });
    builder.block({ kind: 'meta', size: size(50) });
    builder.request({ usage: usage(5190, 5) });
    const { blocks, fit } = countSession(
      builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-opus-4-6' }),
    );
    // Hidden opening 4,900; prompt 100; reply 30 + call 10 = 40 billed; 150 new: result 100, meta 50.
    expect([...blocks]).toEqual([4900, 100, 30, 10, 100, 50]);
    expect(fit?.known).toEqual({ measured: 4900, apportioned: 290, estimated: 0 });
  });

  test('a prompt that shrank is an edit; full does not follow it', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ usage: usage(5000, 10) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(1000) });
    builder.request({ usage: usage(6010, 10) });
    builder.block({ kind: 'call', callId: 'b', size: size(10) });
    builder.block({ kind: 'result', callId: 'b', size: size(100) });
    builder.request({ usage: usage(5200, 10) });
    const account = countSession(
      builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-opus-4-6' }),
    );
    const prompts = (kind: typeof full) =>
      replayCounted(account, { policy: () => kind.create({}), cache: 'none' }).seen.map(({ prompt }) => prompt);
    expect(prompts(recorded)).toEqual([5000, 6010, 5200]);
    expect(prompts(full)).toEqual([5000, 6010, 6120]);
  });

  test('thinking of a finished turn leaves the prompt where the model drops it', () => {
    expect(
      ['claude-opus-4-5', 'claude-sonnet-4-6', 'claude-sonnet-4-5', 'claude-haiku-4-5', 'gpt-5.5', 'gpt-5.6-sol'].map(
        stripsThinking,
      ),
    ).toEqual([false, false, true, true, true, false]);
  });

  test('context that came unseen is not credited to the result beside it, and an empty prompt is no prompt', () => {
    const builder = new SessionBuilder();
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ usage: usage(0, 0) });
    builder.request({ usage: usage(5000, 10) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(400) });
    builder.request({ usage: usage(25_410, 10) });
    const { blocks } = countSession(
      builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-opus-4-6' }),
    );
    // 20,410 more for an estimated 410: three times that and 500 are shared, the rest stands with the call.
    expect([...blocks]).toEqual([4900, 100, 42 + 18_680, 1688]);
  });

  test('apportion gives whole shares that add up', () => {
    expect(apportion(10, [1, 1, 1])).toEqual([3, 4, 3]);
    expect(apportion(7, [0, 0])).toEqual([4, 3]);
    expect(apportion(0, [5, 5])).toEqual([0, 0]);
  });
});
