import { fileSlice, outputSlice, searchSlice } from './words.mjs';

/** Of a numbered text, the part that is not numbers. */
const textShare = 0.8;

/** A planned call with real words: what the tool was asked, and an answer of about `tokens` cut from what was captured. */
export function useTool(draw, tool, tokens) {
  if (tool === 'Bash') return runCommand(draw, tokens);
  return tool === 'Grep' ? search(draw, tokens) : readFile(draw, tokens * textShare);
}

function readFile(draw, tokens) {
  const { path, first, lines } = fileSlice(draw, tokens);
  const text = lines.map((line, at) => `${String(first + at).padStart(6)}\t${line}`).join('\n');
  const shell = `cat -n ${path} | sed -n '${range(first, lines)}p'`;
  return { input: { file_path: path, offset: first, limit: lines.length }, shell, target: path, text, exitCode: 0 };
}

/** A command whose output is looked at in part. */
function runCommand(draw, tokens) {
  const { command, exitCode, first, lines } = outputSlice(draw, tokens);
  const shell = `set -o pipefail; ${command} | sed -n '${range(first, lines)}p'`;
  return { input: { command: shell }, shell, target: shell, text: lines.join('\n'), exitCode };
}

function search(draw, tokens) {
  const { word, first, lines } = searchSlice(draw, tokens);
  const input = { pattern: word, path: '.', output_mode: 'content', offset: first - 1, head_limit: lines.length };
  const shell = `grep -rn '${word}' . | sed -n '${range(first, lines)}p'`;
  return { input, shell, target: `${word} .`, text: lines.join('\n'), exitCode: 0 };
}

function range(first, { length }) {
  return `${first},${first + length - 1}`;
}
