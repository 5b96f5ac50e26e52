import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codex } from '../../../src/formats/codex/index.ts';
import { usageClasses } from '../../../src/session/usage.ts';
import {
  call,
  compacted,
  context,
  count,
  event,
  item,
  meta,
  prompt,
  readAll,
  reasoning,
  reply,
  result,
  stamped,
} from './rollout.ts';

describe('sniff', () => {
  it.each([
    [{ timestamp: 't', type: 'session_meta', payload: {} }],
    [{ type: 'response_item', payload: { type: 'message' } }],
    [{ id: 'x', timestamp: 't', instructions: null, git: {} }],
    [{ record_type: 'state' }],
  ])('knows %j', (value) => {
    expect(codex.sniff([{}, value])).toBe(true);
  });

  it.each([
    [{ type: 'thread.started', thread_id: 'x' }],
    [{ type: 'user', sessionId: 's', uuid: 'u', message: { content: '' } }],
    [{ type: 'session', version: 3, id: 'x', timestamp: 't', cwd: '/' }],
    [{ type: 'message', role: 'user', content: [] }],
    [{ type: 'event_msg', payload: 'text' }],
    [{ payload: {} }],
    [null],
    ['session_meta'],
    [[]],
  ])('leaves %j to others', (value) => {
    expect(codex.sniff([value])).toBe(false);
  });
});

const whole = stamped([
  meta('s1', {
    base_instructions: { text: 'be good' },
    forked_from_id: 's0',
    source: { subagent: { thread_spawn: { parent_thread_id: 's0' } } },
  }),
  meta('s0'),
  event('task_started', { turn_id: 't1' }),
  context('gpt-5.6', 't1'),
  ...prompt('go'),
  reasoning(),
  call('c1', 'exec_command', { cmd: 'ls' }),
  result('c1', 'Exit code: 1\nOutput:\nx'),
  count([100, 50, 10, 4, 20], [100, 50, 10, 4, 20]),
  item('custom_tool_call', { call_id: 'c2', name: 'exec', input: 'tools.apply_patch(1)' }),
  item('custom_tool_call_output', { call_id: 'c2', output: [{ type: 'input_text', text: '{}' }] }),
  item('web_search_call', { action: { type: 'search', query: 'q' } }),
  count([150, 100, 10], [250, 150, 20, 4, 20]),
  compacted({
    message: 'm',
    replacement_history: [{ type: 'message', role: 'user', content: 'go' }, { type: 'compaction' }],
  }),
  reply('a'),
  count([80, 0, 5], [330, 150, 25, 4, 20]),
  event('thread_rolled_back', { num_turns: 1 }),
  compacted({ message: 'm' }),
  ...prompt('again'),
  reply('b'),
  count([90, 0, 5], [420, 150, 30, 4, 20]),
]);

const junk = fc.oneof(
  fc.constantFrom(
    null,
    '',
    '__proto__',
    'constructor',
    -1,
    1e308,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [],
    {},
    [[null]],
    true,
  ),
  fc.string(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Puts something else at one place, however deep, of one line. */
const damage = fc.record({
  line: fc.nat(whole.length - 1),
  path: fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
  value: junk,
});

function damaged(value: unknown, path: readonly number[], junkValue: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return junkValue;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return junkValue;
  const inner = (value as Record<string, unknown>)[key];
  const next = rest.length === 0 ? junkValue : damaged(inner, rest, junkValue);
  if (Array.isArray(value)) return value.map((it, at) => (String(at) === key ? next : it));
  return { ...value, [key]: next };
}

describe('damaged rollouts', () => {
  it('never crash, and never yield a number that is no count', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...whole.keys()]),
        fc.array(fc.nat(whole.length - 1), { maxLength: 5 }),
        fc.array(damage, { maxLength: 12 }),
        fc.boolean(),
        (order, doubled, damages, inOrder) => {
          const lines = [...order, ...doubled].map((at) => ({ at, value: whole[at] as unknown }));
          if (inOrder) lines.sort((a, b) => a.at - b.at);
          for (const { line, path, value } of damages) {
            for (const it of lines) if (it.at === line) it.value = damaged(it.value, path, value);
          }
          expectCounts(lines.map((it) => it.value));
        },
      ),
      { numRuns: 1500, seed: 7 },
    );
  });

  it('never crash on lines that are anything', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(junk, fc.record({ type: junk, payload: junk, timestamp: junk }))), (values) => {
        expectCounts(values);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

function expectCounts(values: readonly unknown[]): void {
  for (const session of readAll(values).sessions) {
    for (const { usage, time, at, outputs } of session.requests) {
      for (const name of usageClasses) if (usage) expect(isCount(usage[name])).toBe(true);
      if (time !== undefined) expect(Number.isFinite(time)).toBe(true);
      expect(at + outputs).toBeLessThanOrEqual(session.blocks.length);
    }
    for (const block of session.blocks) {
      expect(typeof block.text).toBe('string');
      expect(isCount(block.hiddenTokens ?? 0) && isCount(block.images ?? 0)).toBe(true);
      expect(Number.isFinite(block.exitCode ?? 0)).toBe(true);
    }
    for (const segment of session.segments)
      expect(segment.keeps.every((index) => index < segment.firstBlock)).toBe(true);
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
