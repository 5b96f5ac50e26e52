import { claudeCodeLines } from './claude-code.mjs';
import { codexLines } from './codex.mjs';
import { generateSession } from './generate.mjs';
import { nativeText } from './native-text.mjs';
import { codexShape, longShapes, seedCase } from './shapes.mjs';

/** How many sessions are shipped: each number of turns comes equally often. */
export const shippedSessions = 45;

/** Seed of the shipped corpus. */
export const shippedSeed = 1;

/** Tokens of Claude up to 4.6 per token of o200k_base, as ctxsim estimates them. */
const claudeFactor = 1.18;

/** Sessions with words, by their place in the corpus. */
const worded = new Map([
  [3, nativeText],
  [7, nativeText],
  [8, nativeText],
  [12, claudeCodeLines],
]);

/** Records by file name: the sessions of the seed's case. */
export function seedSessions({ seed = shippedSeed, sessions = shippedSessions, shape = seedCase } = {}) {
  return Array.from({ length: sessions }, (_, index) => {
    const id = `s${String(index + 1).padStart(2, '0')}`;
    const write = worded.get(index) ?? generateSession;
    return { name: `${id}.jsonl`, records: write(sessionSeed(seed, index), id, shapeAt(shape, index), claudeFactor) };
  });
}

/** Only their sizes: quick, and alike enough to stand for all of them. */
export function contentFreeSessions(seed, sessions, shape = seedCase) {
  return Array.from({ length: sessions }, (_, index) =>
    generateSession(sessionSeed(seed, index), `s${index + 1}`, shapeAt(shape, index)),
  );
}

/** Records by file name: the long sessions. */
export function longSessions({ seed = shippedSeed } = {}) {
  const native = Object.entries(longShapes).map(([id, shape], index) => ({
    name: `${id}.jsonl`,
    records: generateSession(sessionSeed(seed, 900 + index), id, shape),
  }));
  return [...native, { name: 'codex.jsonl', records: codexLines(sessionSeed(seed, 950), 'codex', codexShape) }];
}

/**
 * The shape with its number of turns fixed. Turns are dealt out, not drawn: sessions differ most in them, and a corpus
 * that happened to get many short ones would blur every verdict.
 */
function shapeAt(shape, index) {
  const [low, high] = shape.turns;
  const span = high - low + 1;
  const turns = low + ((index * strideThrough(span)) % span);
  return { ...shape, turns: [turns, turns] };
}

/** A step that visits every number below `span` before it comes back, and mixes small and large ones. */
function strideThrough(span) {
  let stride = Math.ceil(span * 0.6);
  while (commonDivisor(stride, span) > 1) stride += 1;
  return stride;
}

function commonDivisor(a, b) {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function sessionSeed(seed, index) {
  return seed * 1000 + index;
}
