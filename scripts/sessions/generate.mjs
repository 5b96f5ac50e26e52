// One synthetic session as records of the native format. It needs nothing of ctxsim: it is what a harness would write.
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * What the seed's case looks like (its published statistic: results of earlier turns are a quarter of all spend).
 * Only `resultScale` was turned until that share was met; the savings were not tuned.
 */
export const seedCase = {
  model: 'claude-sonnet-4-5',
  turns: [6, 8],
  rounds: [15, 20],
  resultTokens: [500, 800],
  resultScale: 1,
  systemTokens: [8_000, 15_000],
  promptTokens: [30, 160],
  /** Call and text of one round, together 350. */
  callTokens: [100, 220],
  textTokens: [150, 230],
  replyTokens: [150, 450],
  secondsPerRound: [4, 14],
  /** Pause before a prompt, seconds; below the five-minute TTL. */
  idleSeconds: [20, 150],
};

const day = Date.parse('2026-03-02T09:00:00Z');

/** Characters per token of tool results on recorded sessions of this model (median 2.8). */
const charsPerToken = 2.8;
const charsPerLine = 38;

/** Tools by how often they are called. */
const tools = [
  { tool: 'Read', action: 'view', weight: 45 },
  { tool: 'Bash', action: 'exec', weight: 35 },
  { tool: 'Grep', action: 'search', weight: 20 },
];

/** The records of one session; the same seed and shape give the same records. */
export function generateSession(seed, id, shape = seedCase) {
  const draw = createDraw(seed);
  const records = [{ type: 'session', format: 'ctxsim.session/1', id, agent: 'synthetic', model: shape.model, content: 'sizes', tokenizer: 'model' }];
  let clock = day + seed * 3_600_000;
  let calls = 0;
  const block = (fields) => records.push({ type: 'block', ...fields });
  block({ kind: 'system', size: textSize(draw.int(shape.systemTokens)) });
  const turns = draw.int(shape.turns);
  for (let turn = 0; turn < turns; turn += 1) {
    if (turn > 0) clock += draw.int(shape.idleSeconds) * 1000;
    records.push({ type: 'turn' });
    block({ kind: 'prompt', size: textSize(draw.int(shape.promptTokens), 'excerpt200') });
    const rounds = draw.int(shape.rounds);
    for (let round = 1; round <= rounds; round += 1) {
      records.push({ type: 'request', time: new Date(clock).toISOString() });
      if (round === rounds) {
        block({ kind: 'reply', size: textSize(draw.int(shape.replyTokens), 'excerpt300') });
      } else {
        calls += 1;
        block({ kind: 'reply', size: textSize(draw.int(shape.textTokens), 'excerpt300') });
        toolCall(block, draw, shape, `c${calls}`);
      }
      clock += draw.int(shape.secondsPerRound) * 1000;
    }
  }
  return records;
}

function toolCall(block, draw, shape, callId) {
  const { tool, action } = draw.weighted(tools);
  const tokens = Math.round(draw.int(shape.resultTokens) * shape.resultScale);
  const call = textSize(draw.int(shape.callTokens));
  block({ kind: 'call', callId, tool, action, size: { ...call, derived: { target: draw.int([5, 12]) } } });
  const result = textSize(tokens);
  const exec = action === 'exec';
  const derived = { stub: draw.int([11, 18]), ...(exec ? { terse: draw.int([9, 15]), completionLine: draw.int([4, 14]) } : {}) };
  block({ kind: 'result', callId, ...(exec ? { exitCode: draw.chance(0.08) ? 1 : 0 } : {}), size: { ...result, derived } });
}

function textSize(tokens, excerpt) {
  const chars = Math.round(tokens * charsPerToken);
  const size = { chars, lines: Math.max(1, Math.round(chars / charsPerLine)), tokens };
  return excerpt ? { ...size, derived: { [excerpt]: Math.min(tokens, excerpt === 'excerpt200' ? 70 : 105) } } : size;
}

/** Seeded draws; nothing here reads the clock. */
export function createDraw(seed) {
  const rng = xoroshiro128plus(Math.imul(seed + 1, 0x9e3779b1));
  // Neighbouring seeds start alike; the first draws are thrown away.
  for (let skipped = 0; skipped < 64; skipped += 1) rng.next();
  const int = ([low, high]) => uniformInt(rng, low, high);
  const unit = () => uniformFloat64(rng);
  return {
    int,
    chance: (probability) => unit() < probability,
    weighted(entries) {
      let at = unit() * entries.reduce((sum, { weight }) => sum + weight, 0);
      return entries.find(({ weight }) => (at -= weight) < 0) ?? entries[0];
    },
  };
}
