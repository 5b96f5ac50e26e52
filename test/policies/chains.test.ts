import { expect, test } from 'vitest';
import { dropWindow } from '../../src/policies/drop-window.ts';
import { keepalive } from '../../src/policies/keepalive.ts';
import { mask } from '../../src/policies/mask.ts';
import { pipeline } from '../../src/policies/pipeline.ts';
import type { Policy } from '../../src/policies/policy.ts';
import { turnSummary } from '../../src/policies/turn-summary.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf } from '../sessions.ts';
import { make } from './defaults.ts';

const turn = { prompt: 100, reply: 200, rounds: [] };
const replay = (members: readonly (() => Policy)[], turns: number, pauseSeconds = 0) =>
  replaySeen(
    sessionOf(
      Array.from({ length: turns }, () => ({ ...turn, pauseSeconds })),
      { system: 5000 },
    ),
    {
      policy: () => pipeline(members.map((create) => create())),
      cache: 'none',
    },
  );

test('a summary whose turns another policy took away takes nothing else: the system prompt stays', () => {
  for (const position of ['message', 'system']) {
    const bi = make(turnSummary, { recent_turns_full: 1, slack: 0, summary_position: position });
    const { seen } = replay([bi, make(dropWindow, { keep_messages: 2 })], 14);
    for (const { ids, prompt } of seen) {
      expect(prompt).toBeGreaterThanOrEqual(5000);
      if (position === 'message') expect(ids[0]).toBe(0);
    }
  }
});

test('a ping is due in every pause, also where an edit at the end of a turn hides what the last request used', () => {
  const alone = replay([make(keepalive, { min_tokens: 0 })], 5, 400).callCounts.total;
  const masked = make(mask, { when: 'turn-end' });
  expect(replay([masked, make(keepalive, { min_tokens: 0 })], 5, 400).callCounts.total).toBe(alone);
  expect(alone).toBe(4);
});
