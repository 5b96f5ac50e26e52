import { describe, expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import type { Policy } from '../../src/policies/policy.ts';
import type { Session } from '../../src/session/session.ts';
import { replaySeen } from '../replay/run.ts';
import { sessionOf, sonnet } from '../sessions.ts';

/** One turn: an opening of 5,000 tokens, a prompt of 100, and rounds of a call of 50 and a result of 950. */
const oneTurn = (rounds: number) =>
  sessionOf([{ prompt: 100, reply: 50, rounds: Array.from({ length: rounds }, () => ({ call: 50, result: 950 })) }], {
    system: 5000,
  });

/** Turns of one round each: prompt 100, call 50, result 800, reply 50; the first request of turn n has 4,100 + 1,000 n tokens. */
const manyTurns = (count: number) =>
  sessionOf(
    Array.from({ length: count }, () => ({ prompt: 100, reply: 50, rounds: [{ call: 50, result: 800 }] })),
    { system: 5000 },
  );

const resolveModel = (name: string) => ({ name, card: sonnet, limits: undefined });

interface Options {
  readonly window?: number;
  readonly limit?: number;
  readonly model?: string;
  readonly outputReserve?: number;
}

/** The first request that differs from the full history, from 1, and what it would have had; undefined where none does. */
function firstAct(preset: string, session: Session, options: Options) {
  const [spec] = parsePolicies([preset], policies, presets);
  if (!spec) throw new Error(preset);
  const prompts = (policy: () => Policy, more: Options) =>
    replaySeen(session, { policy, resolveModel, outputReserve: 32_000, ...more }).seen.map(({ prompt }) => prompt);
  const whole = prompts(() => policies.get('full').create({}), { window: 10_000_000 });
  const own = prompts(() => spec.kind.create(spec.settings), options);
  const at = own.findIndex((prompt, index) => prompt !== whole[index]);
  return at === -1 ? undefined : ([at + 1, whole[at]] as const);
}

/** Request k of one turn has 4,100 + 1,000 k tokens. */
const inTurn: readonly (readonly [preset: string, window: number, request: number, tokens: number])[] = [
  // Levels of their own that lie above the window less 32,000, in each window.
  ['codex-local', 200_000, 176, 180_100],
  ['codex-remote-v1', 200_000, 176, 180_100],
  ['codex-remote-v2', 200_000, 176, 180_100],
  ['openai-server-compaction', 200_000, 176, 180_100],
  ['pi', 200_000, 180, 184_100],
  ['roo', 200_000, 168, 172_100],
  ['deepagents', 200_000, 166, 170_100],
  ['deepagents-no-profile', 200_000, 166, 170_100],
  ['letta-sliding', 200_000, 180, 184_100],
  ['letta-self-compact', 200_000, 180, 184_100],
  ['vscode-copilot-sync', 200_000, 166, 170_100],
  ['codex-local', 100_000, 86, 90_100],
  ['pi', 100_000, 80, 84_100],
  ['roo', 100_000, 78, 82_100],
  ['deepagents', 100_000, 81, 85_100],
  ['letta-sliding', 100_000, 80, 84_100],
  // And below it.
  ['claude-code-auto', 200_000, 163, 167_100],
  ['cline-agentic', 200_000, 158, 162_100],
  ['goose', 200_000, 157, 161_100],
  ['crush', 200_000, 157, 161_100],
  ['kimi', 200_000, 146, 150_100],
  ['qwen', 200_000, 163, 167_100],
  ['opencode-v1', 200_000, 165, 169_100],
  ['opencode-v2', 200_000, 164, 168_100],
  ['opencode-v2-8k', 200_000, 165, 169_100],
  ['kilo', 200_000, 145, 149_100],
  ['gemini-compress', 200_000, 97, 101_100],
  ['zed', 200_000, 149, 153_100],
  ['continue-cli', 200_000, 100, 104_100],
  // Results of 2,850 characters are no longer than the line that would stand for them: only its second level acts.
  ['agent-framework', 200_000, 131, 135_100],
  // When nothing else is left.
  ['openai-truncation-auto', 200_000, 196, 200_100],
  ['strands-summarize', 200_000, 196, 200_100],
  ['crewai', 200_000, 196, 200_100],
  // Levels that no window moves.
  ['anthropic-clear-tool-uses', 200_000, 96, 100_100],
  ['anthropic-compact', 200_000, 146, 150_100],
  ['pydantic-ai-anthropic', 200_000, 146, 150_100],
  ['openai-agents-sandbox', 1_000_000, 236, 240_100],
  ['langchain-trim', 200_000, 96, 100_100],
  ['mastra-budget', 200_000, 96, 100_100],
  // Counts: observations and rounds, events (a prompt, then two a round), messages.
  ['swe-agent-last-n', 200_000, 7, 11_100],
  ['complexity-trap-mask', 200_000, 12, 16_100],
  ['elide-rounds', 200_000, 9, 13_100],
  ['openhands-llm-agent', 200_000, 41, 45_100],
  ['openhands-llm-planning', 200_000, 51, 55_100],
  ['openhands-llm', 200_000, 121, 125_100],
  ['block-window', 200_000, 61, 65_100],
  ['autogen-buffered', 200_000, 6, 10_100],
];

describe('inside one turn', () => {
  test.each(inTurn)('%s in a window of %d: request %d, which would have %d tokens', (name, window, request, tokens) => {
    const session = oneTurn(240);
    expect(firstAct(name, session, { window })).toEqual([request, tokens]);
    // What the run keeps free is no system's own rule.
    for (const outputReserve of [0, 8000, 64_000])
      expect(firstAct(name, session, { window, outputReserve })).toEqual([request, tokens]);
  });
});

describe('between turns', () => {
  test.each<[string, number, number, number]>([
    // History behind the opening: 1,000 a turn. Above 8,192 at the end of turn 9; above 21,000 at that of turn 22.
    ['aider', 200_000, 19, 14_100],
    ['llamaindex-memory', 200_000, 45, 27_100],
    ['bi', 200_000, 19, 14_100],
  ])('%s in a window of %d: request %d, which would have %d tokens', (name, window, request, tokens) => {
    expect(firstAct(name, manyTurns(40), { window })).toEqual([request, tokens]);
  });
});

describe("Codex's windows by model", () => {
  test.each<[string, number, number]>([
    ['gpt-5', 241, 245_100],
    ['gpt-5-codex', 241, 245_100],
    ['gpt-5.1-codex-max', 241, 245_100],
    ['gpt-5.2', 241, 245_100],
    ['gpt-5.3-codex', 241, 245_100],
    ['openai/gpt-5.4', 241, 245_100],
    ['gpt-5.6-sol', 331, 335_100],
    ['o3', 176, 180_100],
    // Not in its tables: the window that the model is sold with.
    ['claude-sonnet-4-5', 356, 360_100],
  ])('%s', (model, request, tokens) => {
    for (const preset of ['codex-local', 'codex-remote-v1', 'codex-remote-v2'])
      expect(firstAct(preset, oneTurn(370), { model, limit: 400_000 })).toEqual([request, tokens]);
    // A window that the user names comes first.
    expect(firstAct('codex-local', oneTurn(370), { model, window: 100_000 })).toEqual([86, 90_100]);
  });

  test.each<[string, number]>([
    ['gpt-5', 360_100],
    ['gpt-5.4-mini', 360_100],
    ['o4-mini', 180_100],
    ['gpt-4o', 116_100],
  ])("the Agents SDK's are others: %s", (model, tokens) => {
    expect(firstAct('openai-agents-sandbox-dynamic', oneTurn(370), { model, limit: 272_000 })?.[1]).toBe(tokens);
  });
});

test('the Agent Framework collapses long results before the newest four rounds above half of what the reply leaves', () => {
  const rounds = Array.from({ length: 30 }, () => ({ call: 1000, result: 3000 }));
  const session = sessionOf([{ prompt: 1100, reply: 50, rounds }], { system: 5000 });
  // 84,000 of 200,000 less 32,000; request 21 would have 6,100 + 20 · 4,000.
  expect(firstAct('agent-framework', session, { window: 200_000 })).toEqual([21, 86_100]);
});

test('roo does not act at its level, only above', () => {
  // 0.9 of the window less 8,192 is 100,100, a request's own size.
  expect(firstAct('roo', oneTurn(120), { window: 120_325 })).toEqual([97, 101_100]);
  expect(firstAct('roo', oneTurn(120), { window: 120_324 })).toEqual([96, 100_100]);
});

test("goose keeps the user's last text beside the summary", () => {
  const [spec] = parsePolicies(['goose'], policies, presets);
  if (!spec) throw new Error('goose');
  const { seen } = replaySeen(oneTurn(160), { policy: () => spec.kind.create(spec.settings), window: 200_000 });
  expect(seen[156]?.tokens).toEqual([5000, 100, 2800]);
});

test('deepagents cuts old arguments first, and is done where that is enough', () => {
  // 2,000 tokens of arguments a round: those before the newest tenth of the window go, but for 15 tokens each.
  const rounds = Array.from({ length: 50 }, () => ({ call: 2000, result: 50, action: 'write' as const }));
  const session = sessionOf([{ prompt: 100, reply: 50, rounds }], { system: 5000 });
  // A result is of its call's tool.
  const blocks = session.blocks.map((block) =>
    block.kind === 'result' ? { ...block, action: 'write' as const } : block,
  );
  const [spec] = parsePolicies(['deepagents'], policies, presets);
  if (!spec) throw new Error('deepagents');
  const replayed = replaySeen(
    { ...session, blocks },
    { policy: () => spec.kind.create(spec.settings), window: 100_000 },
  );
  // Request 40 would have 5,100 + 39 · 2,050 = 85,050 tokens; four rounds fit into 10,000.
  expect(replayed.seen[38]?.prompt).toBe(83_000);
  expect(replayed.seen[39]?.prompt).toBe(85_050 - 35 * 1985);
  expect(replayed.callCounts.total).toBe(0);
});
