import fc from 'fast-check';
import { SessionBuilder } from '../../src/session/builder.ts';
import type { Session } from '../../src/session/session.ts';
import { size } from '../sessions.ts';

/** What may happen in a recorded session, in any order. */
const steps = [
  'turn',
  'thinking turn',
  'parallel',
  'late result',
  'interrupted',
  'note',
  'queued prompt',
  'empty',
  'reply',
  'reset',
  'cut turn',
] as const;

/** Sessions as real harnesses leave them: interrupted calls, late results, turns that begin with thinking, resets. */
export const oddSessions: fc.Arbitrary<Session> = fc
  .record({
    steps: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 60 }),
    model: fc.constantFrom('claude-sonnet-4-5', 'claude-opus-4-5'),
    pause: fc.constantFrom(10, 400, 4000),
  })
  .map(({ steps: taken, model, pause }) => build(taken, model, pause));

function build(taken: readonly (typeof steps)[number][], model: string, pause: number): Session {
  const builder = new SessionBuilder();
  let seconds = 0;
  let calls = 0;
  let late: string | undefined;
  const send = () => {
    if (late !== undefined) builder.block({ kind: 'result', callId: late, size: size(3000, { stub: 10 }) });
    late = undefined;
    seconds += 10;
    builder.request({ time: seconds * 1000 });
  };
  const call = (answer: number | undefined) => {
    const callId = `c${calls++}`;
    builder.block({ kind: 'call', callId, tool: 'Read', action: calls % 5 === 0 ? 'edit' : 'view', size: size(60) });
    return { callId, answer };
  };
  const round = (answers: readonly (number | undefined)[]) => {
    send();
    builder.block({ kind: 'thinking', size: size(200) });
    for (const { callId, answer } of answers.map(call))
      if (answer !== undefined) builder.block({ kind: 'result', callId, size: size(answer, { stub: 10 }) });
  };
  const turn = (continues = false) => {
    seconds += pause;
    builder.turn(continues);
  };
  builder.block({ kind: 'system', size: size(3000) });
  for (const step of taken) {
    if (step === 'turn' || step === 'thinking turn' || step === 'cut turn') turn(step === 'cut turn');
    if (step === 'thinking turn') builder.block({ kind: 'thinking', size: size(300) });
    if (step === 'turn' || step === 'queued prompt') builder.block({ kind: 'prompt', size: size(500) });
    if (step === 'note') builder.block({ kind: 'meta', size: size(100) });
    if (step === 'parallel') round([4000, 9000, 20]);
    if (step === 'interrupted') round([undefined, 5000]);
    if (step === 'empty') round([0]);
    if (step === 'late result') {
      round([undefined]);
      late = `c${calls - 1}`;
    }
    if (step === 'reply') {
      send();
      builder.block({ kind: 'reply', size: size(400) });
    }
    if (step === 'reset') {
      builder.segment('compaction', [0]);
      late = undefined;
    }
  }
  send();
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model });
}
