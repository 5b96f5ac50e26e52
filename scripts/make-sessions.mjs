// Writes the shipped corpus. It needs nothing of ctxsim: it writes what a harness would have recorded.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { longSessions, seedSessions, shippedSeed, shippedSessions } from './sessions/corpus.mjs';
import { seedCase } from './sessions/shapes.mjs';

const shippedFolder = fileURLToPath(new URL('../sessions', import.meta.url));

const help = `Writes synthetic sessions, and below them a folder long/ of long ones.

Usage: npm run sessions -- [options]

  --seed N              seed of every draw (${shippedSeed})
  --sessions N          how many sessions (${shippedSessions})
  --turns A..B          turns of a session (${range(seedCase.turns)})
  --rounds A..B         requests of a turn (${range(seedCase.rounds)})
  --result-tokens A..B  tokens of a tool result (${range(seedCase.resultTokens)})
  --result-scale X      factor on them (${seedCase.resultScale})
  --system-tokens A..B  tokens of the system prompt (${range(seedCase.systemTokens)})
  --idle-seconds A..B   pause before a prompt (${range(seedCase.idleSeconds)})
  --out DIR             where to write (sessions)

A range may be one number. The options that shape sessions leave long/ as it is.
`;

const flags = readFlags();

if (flags.help) process.stdout.write(help);
else writeCorpus();

function readFlags() {
  const text = { type: 'string' };
  const options = {
    seed: { ...text, default: String(shippedSeed) },
    sessions: { ...text, default: String(shippedSessions) },
    turns: text,
    rounds: text,
    'result-tokens': text,
    'result-scale': { ...text, default: String(seedCase.resultScale) },
    'system-tokens': text,
    'idle-seconds': text,
    out: { ...text, default: shippedFolder },
    help: { type: 'boolean' },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error.message);
  }
}

function writeCorpus() {
  const seed = number('seed', flags.seed);
  const folder = resolve(flags.out);
  mkdirSync(join(folder, 'long'), { recursive: true });
  removeEarlier(folder);
  write(folder, seedSessions({ seed, sessions: number('sessions', flags.sessions), shape: shape() }));
  write(join(folder, 'long'), longSessions({ seed }));
}

/** An earlier run may have written more sessions. */
function removeEarlier(folder) {
  for (const name of readdirSync(folder)) if (/^s\d{2,}\.jsonl$/.test(name)) rmSync(join(folder, name));
}

function write(folder, files) {
  for (const { name, records } of files) {
    writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
}

function shape() {
  return {
    ...seedCase,
    turns: rangeOf('turns', seedCase.turns),
    rounds: rangeOf('rounds', seedCase.rounds),
    resultTokens: rangeOf('result-tokens', seedCase.resultTokens),
    resultScale: scale(),
    systemTokens: rangeOf('system-tokens', seedCase.systemTokens),
    idleSeconds: rangeOf('idle-seconds', seedCase.idleSeconds),
  };
}

function scale() {
  const factor = Number(flags['result-scale']);
  if (!(factor > 0)) fail(`--result-scale ${flags['result-scale']}: not a number above 0`);
  return factor;
}

function rangeOf(name, shipped) {
  const text = flags[name];
  if (text === undefined) return shipped;
  const [low, high = low] = text.split('..').map((end) => number(name, end));
  if (low > high) fail(`--${name} ${text}: the first number is the larger one`);
  return [low, high];
}

function number(name, text) {
  if (!/^\d+$/.test(text)) fail(`--${name} ${text}: not a whole number`);
  return Number(text);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function range([low, high]) {
  return `${low}..${high}`;
}
