import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { knownNames } from '../../src/run/convert.ts';
import { blockKinds, segmentReasons, toolActions } from '../../src/session/session.ts';

const folder = fileURLToPath(new URL('../../sessions/real', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.gz'));
const { tools, agents } = knownNames();

/** What a text of a key may be: a word of the format, or a name in which nothing can be said. */
const words = new Set<string>([
  ...['session', 'block', 'turn', 'request', 'segment', 'abandoned', 'ctxsim.session/1', 'sizes', 'o200k_base'],
  ...[...blockKinds, ...segmentReasons, ...toolActions, ...agents, ...tools, 'medium', 'high', 'xhigh'],
]);
const names = [
  /^(c|t|tool|project)\d+$/,
  /^(parent-of-)?[0-9a-f]{16}$/,
  /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/,
  /^\d[\d.]+(-alpha\.\d+)?$/,
  /^(claude-(opus|sonnet|fable)|gpt|gemini)-[\d.-]+(-sol|-flash-lite)?$/,
];

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsOf(inner);
}

test('the real sessions are all there, and hold no text but names and words of the format', () => {
  const sessions = files.map((file) => {
    const lines = gunzipSync(readFileSync(`${folder}/${file}`))
      .toString()
      .trimEnd()
      .split('\n');
    const texts = new Set(lines.flatMap((line) => [...textsOf(JSON.parse(line))]));
    const others = [...texts].filter((text) => !words.has(text) && !names.some((name) => name.test(text)));
    expect(others, file).toEqual([]);
    return [file, lines.filter((line) => line.startsWith('{"type":"session"')).length];
  });
  expect(sessions).toEqual([
    ['claude-code.jsonl.gz', 36],
    ['codex.jsonl.gz', 17],
    ['pi.jsonl.gz', 3],
  ]);
});
