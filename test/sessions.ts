import type { RateCard } from '../src/providers/prices/rates.ts';
import { SessionBuilder } from '../src/session/builder.ts';
import type { BlockKind, Session, ToolAction } from '../src/session/session.ts';

/** Claude Sonnet 4.5: 3 / 0.30 / 3.75 / 6 / 15 USD per million tokens. */
export const sonnet: RateCard = {
  id: 'claude-sonnet-4-5@test',
  model: 'claude-sonnet-4-5',
  provider: 'anthropic',
  chargesWrites: true,
  source: 'test',
  tiers: [
    { abovePromptTokens: 0, rates: { fresh: 3, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6, output: 15 } },
  ],
};

/** Sizes of a made-up text: three characters a token, so that the 300-character rule is at 100 tokens. */
export function size(tokens: number, derived?: Record<string, number>) {
  return { chars: tokens * 3, lines: Math.ceil(tokens / 10), tokens, ...(derived ? { derived } : {}) };
}

/** One round: the tokens of its call and of its result. */
export interface Round {
  readonly call: number;
  readonly result: number;
  readonly action?: ToolAction;
  readonly kind?: BlockKind;
  readonly exitCode?: number;
}

/** One turn: its prompt, its rounds, its final reply, and the pause before it. */
export interface TurnShape {
  readonly prompt: number;
  readonly rounds: readonly Round[];
  readonly reply: number;
  readonly pauseSeconds?: number;
}

/** A content-free session of the given shape; requests are `step` seconds apart. Stubs are 10 tokens. */
export function sessionOf(
  turns: readonly TurnShape[],
  { system = 2000, step = 10, id = 's', times = true } = {},
): Session {
  const builder = new SessionBuilder();
  let seconds = 0;
  let calls = 0;
  if (system > 0) builder.block({ kind: 'system', size: size(system) });
  for (const turn of turns) {
    seconds += turn.pauseSeconds ?? 0;
    builder.turn();
    builder.block({ kind: 'prompt', size: size(turn.prompt) });
    for (const round of turn.rounds) {
      builder.request(times ? { time: seconds * 1000 } : {});
      seconds += step;
      const callId = `c${calls++}`;
      builder.block({ kind: 'call', callId, tool: 'Read', action: round.action ?? 'view', size: size(round.call) });
      builder.block({
        kind: 'result',
        callId,
        size: size(round.result, { stub: 10, terse: 8 }),
        ...(round.exitCode === undefined ? {} : { exitCode: round.exitCode }),
      });
    }
    builder.request(times ? { time: seconds * 1000 } : {});
    seconds += step;
    builder.block({ kind: 'reply', size: size(turn.reply) });
  }
  return builder.build({ id, content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}
