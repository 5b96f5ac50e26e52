/** Windows that a system takes models to have, tokens: the first row whose beginning a model's name has decides. */
interface WindowRow {
  readonly models: readonly string[];
  readonly window: number;
}

/**
 * OpenAI Codex CLI, whose windows are what its own input may use: gpt-5 and its kin hold 400,000 tokens, of which 128,000 are the
 * reply's. Sources: codex-rs/core/src/openai_model_info.rs @15667625 (2025-08); codex-rs/models-manager/models.json @069e6b19 and
 * src/model_info.rs @07587b74 (2026-08). A model that neither names has no row: the window it is sold with stands.
 */
const codex: readonly WindowRow[] = [
  { models: ['gpt-5.6'], window: 372_000 },
  { models: ['gpt-5'], window: 272_000 },
  { models: ['codex-mini-latest', 'o3', 'o4-mini'], window: 200_000 },
  { models: ['codex-'], window: 272_000 },
  { models: ['gpt-4.1'], window: 1_047_576 },
  { models: ['gpt-4o'], window: 128_000 },
  { models: ['gpt-3.5-turbo'], window: 16_385 },
  { models: ['gpt-oss'], window: 96_000 },
];

/** OpenAI Agents SDK: src/agents/sandbox/capabilities/compaction.py @7f7a44f8 (2026-08-22). */
const openaiAgents: readonly WindowRow[] = [
  { models: ['gpt-5.4-mini', 'gpt-5.4-nano'], window: 400_000 },
  { models: ['gpt-5.4', 'gpt-5.5', 'gpt-5.6', 'gpt-4.1'], window: 1_047_576 },
  { models: ['gpt-5-chat', 'gpt-5.1-chat', 'gpt-5.2-chat', 'gpt-5.3-chat', 'gpt-4o'], window: 128_000 },
  { models: ['gpt-5'], window: 400_000 },
  { models: ['codex-mini-latest', 'o1', 'o3', 'o4-mini'], window: 200_000 },
];

/** The tables by the name that the setting `windows` has for them. */
export const windowTables: Readonly<Record<string, (model: string) => number | undefined>> = {
  codex: (model) => windowIn(codex, model),
  'openai-agents': (model) => windowIn(openaiAgents, model),
};

/** A model may be named with its provider in front: `openai/gpt-5`. */
function windowIn(rows: readonly WindowRow[], model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return rows.find(({ models }) => models.some((start) => name.startsWith(start)))?.window;
}
