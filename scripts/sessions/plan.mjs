import { createDraw } from './draw.mjs';

/** First moment of the corpus. */
const start = Date.parse('2026-03-02T09:00:00Z');

/** Start times stay within this many hours, so that every seed falls into the same price period. */
const hours = 600;

/**
 * What happens in one session, in tokens and milliseconds, whatever it is written as. A turn has `rounds` requests: all
 * but the last call one tool, the last one is the reply.
 */
export function planSession(seed, shape) {
  const draw = createDraw(seed);
  let clock = start + (((seed % hours) + hours) % hours) * 3_600_000;
  const nextCall = numberCalls();
  const systemTokens = draw.int(shape.systemTokens);
  const turns = Array.from({ length: draw.int(shape.turns) }, (_, turn) => {
    if (turn > 0) clock += draw.int(shape.idleSeconds) * 1000;
    const promptTokens = draw.int(shape.promptTokens);
    const rounds = draw.int(shape.rounds);
    const steps = Array.from({ length: rounds }, (_, index) => {
      const time = clock;
      const last = index === rounds - 1;
      const step = last
        ? { time, replyTokens: draw.int(shape.replyTokens) }
        : { time, replyTokens: draw.int(shape.textTokens), call: { callId: nextCall(), ...planCall(draw, shape) } };
      clock += draw.int(shape.secondsPerRound) * 1000;
      return step;
    });
    return { promptTokens, steps };
  });
  return { systemTokens, turns, end: clock };
}

function numberCalls() {
  let calls = 0;
  return () => {
    calls += 1;
    return `c${calls}`;
  };
}

function planCall(draw, shape) {
  const { tool, action } = draw.weighted(shape.tools);
  return {
    tool,
    action,
    tokens: draw.int(shape.callTokens),
    resultTokens: Math.round(draw.int(shape.resultTokens) * shape.resultScale),
    /** Sizes of what a policy may put in the result's place or quote of it. */
    target: draw.int([5, 12]),
    stub: draw.int([11, 18]),
    terse: draw.int([9, 15]),
    completionLine: draw.int([4, 14]),
    failed: draw.chance(0.08),
    /** Which of the session's files an edit changes. */
    file: draw.int([1, 30]),
  };
}
