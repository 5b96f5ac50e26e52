import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HarnessMemory } from '../../src/analysis/index.ts';
import { loadPriceBook } from '../../src/providers/index.ts';
import { predictSession } from '../../src/run/backtest-session.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { promptTokens, type Session, type Usage } from '../../src/session/index.ts';
import { size } from '../sessions.ts';

const prices = await loadPriceBook();

const steps = fc.array(
  fc.record({
    newTurn: fc.boolean(),
    reset: fc.constantFrom(false, false, false, false, false, true),
    gap: fc.constantFrom(5, 30, 400, 4000),
    growth: fc.integer({ min: -400, max: 3000 }),
    read: fc.integer({ min: 0, max: 100 }),
    fresh: fc.integer({ min: 0, max: 12 }),
    long: fc.boolean(),
    output: fc.nat(300),
  }),
  { minLength: 3, maxLength: 18 },
);
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** A recording with arbitrary prompt sizes and arbitrary splits. */
function recording(shape: Steps): Session {
  const builder = new SessionBuilder();
  let prompt = 20_000;
  let time = 1_700_000_000_000;
  shape.forEach((step, index) => {
    time += step.gap * 1000;
    if (step.reset && index > 0) builder.segment('compaction', []);
    if (step.newTurn || index === 0) {
      builder.turn();
      builder.block({ kind: 'prompt', size: size(40) });
    }
    prompt = Math.max(5000, prompt + step.growth);
    const cacheRead = Math.floor(((prompt - step.fresh) * step.read) / 100);
    const written = prompt - step.fresh - cacheRead;
    const usage: Usage = {
      fresh: step.fresh,
      cacheRead,
      cacheWrite5m: step.long ? 0 : written,
      cacheWrite1h: step.long ? written : 0,
      output: step.output,
    };
    builder.request({ time, usage });
    builder.block({ kind: 'call', callId: `c${index}`, tool: 'Read', action: 'view', size: size(60) });
    builder.block({ kind: 'result', callId: `c${index}`, size: size(500, { stub: 10 }) });
  });
  return builder.build({
    id: 's',
    agent: 'claude-code',
    agentVersion: '1',
    content: 'sizes',
    tokenizer: 'model',
    model: 'claude-opus-4-6',
  });
}

const predict = (session: Session) => predictSession(session, new HarnessMemory().foretell(session), prices);

/** The same recording as it stood when request `index` was about to be sent, with that request's split garbled. */
function upTo(session: Session, index: number): Session {
  const requests = session.requests.slice(0, index + 1).map((request, at) => {
    if (at !== index || !request.usage) return request;
    const usage = {
      fresh: 0,
      cacheRead: 0,
      cacheWrite5m: promptTokens(request.usage),
      cacheWrite1h: 0,
      output: request.usage.output,
    };
    return { ...request, usage };
  });
  const { at } = requests[index] as Session['requests'][number];
  return {
    ...session,
    requests,
    blocks: session.blocks.slice(0, at),
    turns: session.turns.filter(({ firstBlock }) => firstBlock <= at),
    segments: session.segments.filter(({ firstRequest }) => firstRequest <= index),
  };
}

test('blind: later requests and its own split do not change what a request is predicted as', () => {
  fc.assert(
    fc.property(steps, (shape) => {
      const session = recording(shape);
      const predicted = predict(session);
      for (let index = 1; index < session.requests.length; index += 1) {
        expect(predict(upTo(session, index))[index]).toEqual(predicted[index]);
      }
    }),
    { numRuns: 60 },
  );
});

test('what is predicted adds up to the prompt', () => {
  fc.assert(
    fc.property(steps, (shape) => {
      const session = recording(shape);
      predict(session).forEach((usage, index) => {
        expect(promptTokens(usage)).toBe(promptTokens(session.requests[index]?.usage as Usage));
        for (const count of Object.values(usage)) expect(count).toBeGreaterThanOrEqual(0);
      });
    }),
    { numRuns: 100 },
  );
});
