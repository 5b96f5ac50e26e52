import { expect, test } from 'vitest';
import { answeredTurns, type Turn } from '../../src/session/session.ts';

const turn: Turn = { firstBlock: 0 };
const rest: Turn = { firstBlock: 0, continues: true };
const answered = (...turns: number[]) => turns.map((of) => ({ at: 0, outputs: 0, turn: of }));

test.each([
  ['each with requests', [turn, turn], [0, 0, 1], 2],
  ['the last without an answer', [turn, turn], [0], 1],
  ['none with an answer', [turn, turn], [], 0],
  ['requests before the first', [turn], [-1, 0], 1],
  ['one that a reset cut in two', [turn, rest, turn], [0, 1, 2], 2],
  ['one that is answered behind the reset only', [turn, rest], [1], 1],
  ['a rest of one that another session has', [rest, turn], [0, 1], 1],
] as const)('%s', (_, turns, requests, count) => {
  expect(answeredTurns({ turns, requests: answered(...requests) })).toBe(count);
});
