import { readdirSync, readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { prompts, remarks } from './sentences.mjs';

const encoding = new Tiktoken(ranks);
const counted = new Map();

/** Tokens of a text in o200k_base; texts come again, so their counts are kept. */
export function countTokens(text) {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const tokens = encoding.encode(text, [], []).length;
  counted.set(text, tokens);
  return tokens;
}

const captured = readCaptured(new URL('captured/', import.meta.url));

/** Each file holds a command, its exit status, and what it printed. */
function readCaptured(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const [first = '', second = '', ...lines] = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');
      return { command: first.slice(2), exitCode: Number(second.slice(5)), lines };
    });
}

const files = captured
  .filter(({ command }) => command.startsWith('cat '))
  .map(({ command, lines }) => ({ path: command.slice(4), lines }));
const outputs = captured.filter(({ command }) => !command.startsWith('cat '));

/** A stretch of one of the repository's files of about that many tokens. */
export function fileSlice(draw, tokens) {
  const { path, lines } = draw.pick(files);
  return { path, ...slice(draw, lines, tokens) };
}

/** A stretch of a command's output of about that many tokens. */
export function outputSlice(draw, tokens) {
  const { command, exitCode, lines } = draw.pick(outputs);
  return { command, exitCode, ...slice(draw, lines, tokens) };
}

const searched = ['const', 'return', 'readonly', 'export', 'number', 'string', 'request', 'session', 'turn'].map(
  (word) => ({
    word,
    lines: files.flatMap(({ path, lines }) =>
      lines.flatMap((line, at) => (line.includes(word) ? [`${path}:${at + 1}:${line}`] : [])),
    ),
  }),
);

/** A stretch of what a search for a word finds in the captured files, of about that many tokens. */
export function searchSlice(draw, tokens) {
  const { word, lines } = draw.pick(searched);
  return { word, ...slice(draw, lines, tokens) };
}

/** Consecutive lines from a drawn place on; where the text ends too early, the lines before that place as well. */
function slice(draw, lines, tokens) {
  let first = draw.int([0, Math.floor(lines.length / 2)]);
  let end = first;
  let sum = 0;
  while (sum < tokens && end < lines.length) sum += countTokens(`${lines[end++]}\n`);
  while (sum < tokens && first > 0) sum += countTokens(`${lines[--first]}\n`);
  return { first: first + 1, lines: lines.slice(first, end) };
}

/** Sentences of about that many tokens, at least one. */
export function remark(draw, tokens) {
  return compose(draw, remarks, tokens);
}

/** A request of the user of about that many tokens. */
export function request(draw, tokens) {
  return compose(draw, prompts, tokens);
}

function compose(draw, sentences, tokens) {
  const left = [...sentences];
  const chosen = [];
  let sum = 0;
  do {
    const [sentence] = left.splice(draw.int([0, left.length - 1]), 1);
    chosen.push(sentence.replaceAll('{file}', () => draw.pick(files).path));
    sum += countTokens(` ${chosen.at(-1)}`);
  } while (sum < tokens - 12 && left.length > 0);
  return chosen.join(' ');
}
