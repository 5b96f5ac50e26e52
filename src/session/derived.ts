import type { Block } from './session.ts';

/**
 * Texts that policies put in place of a block. They stand here, and not beside the policies, because a content-free
 * session must keep their sizes: it is measured once, when the words are still there.
 */
export const derivedTexts = {
  /** The one-line stub of an elided result, heph's grammar (seed: `[view src/auth.rs: 412 lines, elided]`). */
  stub: (block: Block) => (block.kind === 'result' ? stubText(block, ', elided') : undefined),
  /** heph's terse status of a successful command, chosen before its first appearance. */
  terse: (block: Block) => (isSuccessfulCommand(block) ? stubText(block, '') : undefined),
  /** A prompt as a rule-made summary quotes it: collapsed, 200 characters (seed-policies §2.4). */
  excerpt200: (block: Block) => (block.kind === 'prompt' ? excerpt(block.text, 200) : undefined),
  /** A final reply as a rule-made summary quotes it: collapsed, 300 characters (seed-policies §2.4). */
  excerpt300: (block: Block) => (block.kind === 'reply' ? excerpt(block.text, 300) : undefined),
  /** The observed completion of a command: its last line that is not empty (seed-policies §1.7). */
  completionLine: (block: Block) =>
    block.kind === 'result' && block.action === 'exec' ? lastLine(block.text) : undefined,
  /** The command of an exec, whole (seed-policies §1.7: verbatim). */
  command: (block: Block) => (block.kind === 'call' && block.action === 'exec' ? block.target : undefined),
  /** What a call names, on one line: the path of a write, the command of an exec (seed-policies §1.7). */
  target: (block: Block) => (block.kind === 'call' && block.target !== undefined ? firstLine(block.target) : undefined),
} as const satisfies Record<string, (block: Block) => string | undefined>;

export type DerivedName = keyof typeof derivedTexts;

export const derivedNames = Object.keys(derivedTexts) as DerivedName[];

/** A command that ran and did not fail. A missing exit status counts as success unless the result is marked as an error. */
export function isSuccessfulCommand(block: Block): boolean {
  return block.kind === 'result' && block.action === 'exec' && !failed(block);
}

/** Failed: the recorded error flag, or an exit status other than 0 (seed-policies §1.2). */
export function failed(block: Block): boolean {
  return block.isError === true || (block.exitCode !== undefined && block.exitCode !== 0);
}

/** Newline-separated lines; a final newline is not counted; the empty text has none. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** Targets are cut to this many characters (seed-policies §1.2). */
const targetChars = 80;

function stubText(block: Block, ending: string): string {
  const tool = block.tool ?? 'tool';
  const target = block.target === undefined ? '' : firstLine(block.target);
  const error = failed(block) ? 'error, ' : '';
  return `[${target === '' ? tool : `${tool} ${target}`}: ${error}${amount(block)}${ending}]`;
}

/** `412 lines`, `1 line`, or `1 image` for a result that has no text. */
function amount(block: Block): string {
  const text = block.text ?? '';
  if (text === '' && block.images) return block.images === 1 ? '1 image' : `${block.images} images`;
  const lines = countLines(text);
  return lines === 1 ? '1 line' : `${lines} lines`;
}

/** White space collapsed, cut by code point with an ellipsis. */
function excerpt(text: string | undefined, chars: number): string {
  return cut((text ?? '').replace(/\s+/g, ' ').trim(), chars);
}

function lastLine(text: string | undefined): string {
  const trimmed = (text ?? '').trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim();
}

/** First line, white space collapsed, cut by code point so that no surrogate pair is split. */
function firstLine(target: string): string {
  return cut((target.trimStart().split('\n', 1)[0] ?? '').replace(/\s+/g, ' ').trim(), targetChars);
}

function cut(line: string, chars: number): string {
  if (line.length <= chars) return line;
  const points = [...line];
  return points.length <= chars ? line : `${points.slice(0, chars - 1).join('')}…`;
}
