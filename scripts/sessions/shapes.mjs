const read = { tool: 'Read', action: 'view', weight: 45 };
const bash = { tool: 'Bash', action: 'exec', weight: 35 };
const grep = { tool: 'Grep', action: 'search', weight: 20 };
const edit = { tool: 'Edit', action: 'edit', weight: 25 };

/**
 * What the seed's case looks like (its published statistic: results of earlier turns are a quarter of all spend).
 * Turns are spread around their published mean of 7. Only `resultScale` was turned until that share was met; the savings
 * were not tuned.
 */
export const seedCase = {
  model: 'claude-sonnet-4-5',
  turns: [3, 11],
  rounds: [15, 20],
  resultTokens: [500, 800],
  resultScale: 0.58,
  systemTokens: [8_000, 15_000],
  promptTokens: [30, 160],
  /** Call and text of one round, together 350. */
  callTokens: [100, 220],
  textTokens: [150, 230],
  replyTokens: [150, 450],
  secondsPerRound: [4, 14],
  /** Pause before a prompt, seconds; below the five-minute TTL. */
  idleSeconds: [20, 150],
  /** Tools by how often they are called. */
  tools: [read, bash, grep],
};

const long = { ...seedCase, resultScale: 1, tools: [read, bash, grep, edit] };

/** Sessions of `sessions/long/`: many turns, or a large history of which little is results; each fits a 200k window whole. */
export const longShapes = {
  'turns-12': { ...long, turns: [12, 12], rounds: [10, 12] },
  'turns-25': { ...long, turns: [25, 25], rounds: [5, 6] },
  'turns-45': { ...long, turns: [45, 45], rounds: [3, 4] },
  'large-history': { ...long, turns: [24, 24], rounds: [8, 9], resultTokens: [170, 270], callTokens: [300, 420] },
};

/** The Codex rollout of `sessions/long/`. */
export const codexShape = {
  ...long,
  model: 'gpt-5.5',
  turns: [12, 12],
  rounds: [5, 6],
  tools: [read, bash, grep],
};
