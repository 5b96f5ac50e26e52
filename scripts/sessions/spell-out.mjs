import { createDraw } from './draw.mjs';
import { planSession } from './plan.mjs';
import { useTool } from './tool-use.mjs';
import { countTokens, remark, request } from './words.mjs';

/** Keeps the words of a session apart from its plan: the same numbers are drawn with and without words. */
const wordSeed = 0x5eed;

/**
 * A planned session with words. `factor` is the model's tokens per token of o200k_base; lengths are chosen so that the
 * session is as large as planned.
 */
export function spellOut(seed, shape, factor) {
  const plan = planSession(seed, shape);
  const draw = createDraw(seed ^ wordSeed);
  const turns = plan.turns.map(({ promptTokens, steps }) => ({
    prompt: request(draw, promptTokens / factor),
    steps: steps.map((step) => spellStep(draw, step, factor)),
  }));
  return { systemTokens: plan.systemTokens, turns };
}

function spellStep(draw, { time, replyTokens, call }, factor) {
  if (!call) return { time, reply: remark(draw, replyTokens / factor) };
  const { callId, tool, action } = call;
  const use = useTool(draw, tool, call.resultTokens / factor);
  // Real calls are shorter than planned ones; what they leave is said in words, so that both together stay as long.
  const spoken = (replyTokens + call.tokens) / factor - countTokens(JSON.stringify(use.input));
  return { time, reply: remark(draw, spoken), call: { callId, tool, action, ...use } };
}
