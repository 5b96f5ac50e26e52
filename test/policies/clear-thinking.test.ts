import { expect, test } from 'vitest';
import { clearThinking } from '../../src/policies/clear-thinking.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { replaySeen } from '../replay/run.ts';
import { size } from '../sessions.ts';
import { make } from './defaults.ts';

/** Turns of one request each, with 300 tokens of thinking. Opus 4.5 keeps it unless told otherwise. */
function lastRequest(model: string, keepTurns: number): number | undefined {
  const builder = new SessionBuilder();
  for (let turn = 0; turn < 4; turn += 1) {
    builder.turn();
    builder.block({ kind: 'prompt', size: size(50) });
    builder.request({});
    builder.block({ kind: 'thinking', size: size(300) });
    builder.block({ kind: 'reply', size: size(40) });
  }
  const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model });
  const { seen } = replaySeen(session, { policy: make(clearThinking, { keep_turns: keepTurns }) });
  return seen.at(-1)?.tokens.filter((tokens) => tokens === 300).length;
}

test('the thinking of the last finished turns stays', () => {
  expect([0, 1, 2, 9].map((keep) => lastRequest('claude-opus-4-5', keep))).toEqual([0, 1, 2, 3]);
});

test('where the provider strips it, there is nothing left to do', () => {
  expect([0, 1].map((keep) => lastRequest('claude-sonnet-4-5', keep))).toEqual([0, 0]);
});
