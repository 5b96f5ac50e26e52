import { expect, test } from 'vitest';
import { full } from '../../src/policies/full.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { size } from '../sessions.ts';
import { replaySeen } from './run.ts';

/** A session whose first prompt of `prompt` tokens was recorded, and whose second has 500 more tokens and no record. */
function session(prompt: number) {
  const builder = new SessionBuilder();
  builder.turn();
  builder.block({ kind: 'prompt', size: size(prompt) });
  builder.request({ usage: { fresh: prompt, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 } });
  builder.block({ kind: 'meta', size: size(500) });
  builder.request({});
  return builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: 'claude-sonnet-4-5' });
}

const unsendable = (prompt: number, options: { limit?: number; window?: number }) =>
  replaySeen(session(prompt), { policy: () => full.create({}), outputReserve: 3000, ...options }).unsendable;

test('what is kept for the reply cannot be used by the prompt', () => {
  expect(unsendable(6500, { limit: 10_000 })).toBe(0);
  expect(unsendable(6501, { limit: 10_000 })).toBe(1);
});

test('a recording that used the reserve shows that less of it was kept: the whole window is then allowed', () => {
  expect(unsendable(8000, { limit: 10_000 })).toBe(0);
  expect(unsendable(9600, { limit: 10_000 })).toBe(1);
  // A published window that the recording goes beyond is wrong; what was sent can be sent, and no more.
  expect(unsendable(12_000, { limit: 10_000 })).toBe(1);
});

test('a window that the user names is kept, whatever was recorded', () => {
  expect(unsendable(8000, { window: 10_000 })).toBe(2);
});

test('what a policy keeps free by a rule of its own comes before what the run keeps', () => {
  const kept = (reserves: readonly (number | undefined)[], prompt: number) =>
    replaySeen(session(prompt), {
      policy: () => ({
        events: [],
        members: reserves.map((outputReserve) => ({ events: ['pre_request'], outputReserve, on: () => undefined })),
        on: () => undefined,
      }),
      outputReserve: 3000,
      window: 10_000,
    }).unsendable;
  expect(kept([undefined], 6500)).toBe(0);
  expect(kept([undefined], 6501)).toBe(1);
  expect(kept([1000], 8500)).toBe(0);
  expect(kept([1000], 8501)).toBe(1);
  // Of a chain the member that keeps least decides; a policy may keep more than the run, too.
  expect(kept([1000, undefined, 500], 9000)).toBe(0);
  expect(kept([5000], 4501)).toBe(1);
});

test('the window that a system takes a model to have decides, unless the user names one', () => {
  const windows = (options: { window?: number; limit?: number }) => {
    const seen: number[] = [];
    replaySeen(session(2000), {
      policy: () => ({
        events: ['pre_request'],
        windowOf: (model) => (model === 'claude-sonnet-4-5' ? 7000 : undefined),
        on: (_, state) => {
          seen.push(state.window);
          return undefined;
        },
      }),
      ...options,
    });
    return seen[0];
  };
  expect(windows({ limit: 10_000 })).toBe(7000);
  expect(windows({ limit: 10_000, window: 8000 })).toBe(8000);
});
