import { describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { levelOf } from '../../src/policies/parts/trigger.ts';
import type { Policy, Settings } from '../../src/policies/policy.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf } from '../sessions.ts';

/** The components of a preset, one spec each. */
function componentsOf(name: string) {
  const text = presets.find((preset) => preset.name === name)?.policy ?? '';
  return text.split('+').flatMap((part) => parsePolicies([part], policies));
}

function componentOf(name: string, at = 0) {
  const spec = componentsOf(name).at(at);
  if (!spec) throw new Error(`no preset ${name}`);
  return spec;
}

describe('the catalogue', () => {
  test('names at least 40 systems, each once, and none like a family', () => {
    const names = presets.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set([...names, ...policies.names]).size).toBe(names.length + policies.names.length);
  });

  test.each(presets)('$name says what it does, whose it is, when that was known and how', (preset) => {
    for (const text of [preset.summary, preset.origin, preset.evidence]) expect(text).not.toBe('');
    expect(preset.summary).toMatch(/\.$/);
    expect(preset.date).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
    expect(componentsOf(preset.name)[0]?.settings).toBeDefined();
  });
});

/** Levels with 32,000 tokens kept for the reply, at windows of 200,000 and 1,000,000 (policies.md §1.1). */
const levels: readonly (readonly [preset: string, at: number, small: number, large: number])[] = [
  ['anthropic-clear-tool-uses', 0, 100_000, 100_000],
  ['anthropic-compact', 0, 150_000, 150_000],
  ['anthropic-sdk-compact', 0, 100_000, 100_000],
  ['vscode-copilot-context-editing', 1, 80_000, 80_000],
  ['vscode-copilot-bg', 0, 136_000, 680_000],
  ['vscode-copilot-sync', 0, 170_000, 850_000],
  ['kimi', 0, 150_000, 850_000],
  ['goose', 0, 160_000, 800_000],
  ['crush', 0, 160_000, 980_000],
  ['cline-classic', 0, 160_000, 960_000],
  ['cline-agentic', 0, 162_000, 810_000],
  ['cline-basic', 0, 162_000, 810_000],
  ['claude-code-auto', 0, 167_000, 967_000],
  ['claude-code-idle', 1, 167_000, 967_000],
  ['qwen', 0, 167_000, 850_000],
  ['opencode-v1', 0, 168_000, 968_000],
  ['opencode-v2', 0, 168_000, 968_000],
  ['deepagents', 1, 170_000, 850_000],
  ['roo', 0, 171_808, 891_808],
  ['codex-local', 0, 180_000, 900_000],
  ['codex-remote-v1', 0, 180_000, 900_000],
  ['codex-remote-v2', 0, 180_000, 900_000],
  ['pi', 0, 183_616, 983_616],
  ['gemini-compress', 0, 100_000, 500_000],
  ['aider', 0, 8_192, 8_192],
];

describe('firing points', () => {
  test.each(levels)('%s', (name, at, small, large) => {
    const { settings } = componentOf(name, at);
    expect(levelOf(settings, { window: 200_000 })).toBe(small);
    expect(levelOf(settings, { window: 1_000_000 })).toBe(large);
  });

  test('windows of their own: Gemini 1,048,576, gpt-5.6-sol 372,000', () => {
    expect(levelOf(componentOf('gemini-compress').settings, { window: 1_048_576 })).toBe(524_288);
    expect(levelOf(componentOf('codex-local').settings, { window: 372_000 })).toBe(334_800);
  });

  test("Goose's cutoff is 15 uses at 128k, 24 at 200k, 120 at 1M; it acts ten above", () => {
    const { settings } = componentOf('goose-pairs');
    const cutoffs = [128_000, 200_000, 1_000_000].map((window) => levelOf(settings, { window }) - 10);
    expect(cutoffs).toEqual([15, 24, 120]);
  });

  test("Cline's target is 113,400 of 200,000", () => {
    const { keep_window: share, keep_user_tokens: prompts } = componentOf('cline-basic').settings;
    expect(Math.round((share as number) * 200_000) + (prompts as number)).toBe(113_400);
  });
});

/** Judged by what stands after the reply, and so at the turn's end or the next request. */
function isJudgedLater({ measure, when }: Settings): boolean {
  return when === 'turn-end' || when === 'step' || (measure === 'last' && when === 'request');
}

/** Whether it fires when it measures so many tokens: after an opening of 1,000 a prompt, a call, its result and a reply of 40. */
function fires(policy: () => Policy, measured: number, settings: Settings, window: number): boolean {
  const isLater = isJudgedLater(settings);
  const counts = (settings.measure === 'history' ? 0 : 1000) + (isLater || settings.measure === 'last' ? 40 : 0);
  const first = { prompt: 50, reply: 40, rounds: [{ call: 30, result: measured - counts - 80 }] };
  const session = sessionOf([first, { prompt: 1, reply: 1, rounds: [] }], { system: 1000 });
  const requests = session.requests.slice(0, isLater ? 3 : 2);
  return replaySeen({ ...session, requests }, { policy, limit: window }).edits > 0;
}

describe('they fire at that point and not a token before', () => {
  const alone = { on_overflow: 'no', keep_tokens: 0, keep_turns: 0, keep_messages: 0, keep_window: 0, keep_share: 0 };
  const cases = levels.flatMap(([name, at, small, large]) => {
    const { kind, settings } = componentOf(name, at);
    if (kind.name !== 'compact' || settings.background === 'yes' || (settings.keep_first as number) > 0) return [];
    return [
      { name, at, window: 200_000, level: small },
      { name, at, window: 1_000_000, level: large },
    ];
  });
  test.each(cases)('$name at $level of $window', ({ name, at, window, level }) => {
    const { kind, settings } = componentOf(name, at);
    const policy = () => kind.create({ ...settings, ...alone });
    const least = settings.strict === 'yes' ? level + 1 : level;
    expect(fires(policy, least, settings, window)).toBe(true);
    expect(fires(policy, least - 1, settings, window)).toBe(false);
  });
});
