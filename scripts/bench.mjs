// `npm run bench`: speed of the replay loop, requests per second and policy on one core. Measured, never asserted.
import { Bench } from 'tinybench';
import { elide } from '../dist/policies/elide.js';
import { full } from '../dist/policies/full.js';
import { cacheModels, planners } from '../dist/providers/index.js';
import { replayLane } from '../dist/replay/replay.js';
import { layOut } from '../dist/replay/timeline.js';
import { SessionBuilder } from '../dist/session/builder.js';
import { estimateTokens } from '../dist/tokens/index.js';

/** A session of `requests` requests in turns of 12, two blocks appended per request. */
function syntheticSession(requests) {
  const builder = new SessionBuilder();
  const size = (tokens, derived) => ({ chars: tokens * 3, lines: 10, tokens, ...(derived ? { derived } : {}) });
  builder.block({ kind: 'system', size: size(9000) });
  for (let request = 0; request < requests; request += 1) {
    if (request % 12 === 0) {
      builder.turn();
      builder.block({ kind: 'prompt', size: size(80) });
    }
    builder.request({ time: request * 5000 });
    builder.block({ kind: 'call', callId: `c${request}`, tool: 'Read', action: 'view', size: size(120) });
    builder.block({ kind: 'result', callId: `c${request}`, size: size(700, { stub: 14 }) });
  }
  return builder.build({ id: 'bench', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

const rates = { fresh: 3, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, output: 15 };
const card = {
  id: 'bench',
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  chargesWrites: true,
  source: '',
  tiers: [{ abovePromptTokens: 0, rates }],
};

for (const requests of [100, 1_000, 10_000, 100_000]) {
  const account = estimateTokens(syntheticSession(requests));
  const timeline = layOut(account, { ttl: '5m', resolve: () => ({ name: card.model, card, limits: undefined }) });
  const bench = new Bench({ time: 400, warmupTime: 100 });
  for (const [name, cache, planner, create] of [
    ['full, ideal', 'ideal', 'tail', () => full.create({})],
    ['full, anthropic', 'anthropic', 'anchor', () => full.create({})],
    [
      'elide 0, anthropic',
      'anthropic',
      'anchor',
      () =>
        elide.create({
          recent_turns: 0,
          min_elide_chars: 300,
          min_elide_tokens: 60,
          stub_tokens: 15,
          terse_success: 'off',
        }),
    ],
  ]) {
    bench.add(name, () => {
      replayLane(timeline, {
        createPolicy: create,
        cacheModelOf: () => cacheModels.get(cache),
        planner: planners.get(planner),
        ttl: '5m',
        outputReserve: 32_000,
      });
    });
  }
  await bench.run();
  for (const task of bench.tasks) {
    const millis = task.result.latency.p50;
    console.log(
      `${String(requests).padStart(7)} requests  ${task.name.padEnd(20)} ${millis.toFixed(3)} ms  ${(requests / millis / 1000).toFixed(2)} M requests/s`,
    );
  }
}
