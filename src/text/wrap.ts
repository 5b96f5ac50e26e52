import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** How much further in than a detail its second line stands. */
const detailIndent = 2;

/** Stands for a space at which no line is broken. */
const glue = '\u00a0';

/** What stays together: a number and its per cent, a separating dot and what it follows, a command up to its flags. */
const together = [/ (?=[%·])/g, /ctxsim [a-z]+(?: --[\w-]+)*/g];

/** A command at the end of a sentence, meant to be copied: it may be as long as it is, and the terminal breaks it. */
const finalCommand = /(?<=: )(?:npx )?ctxsim .*$/;

/**
 * Text as it stands in so many columns: every line is wrapped at spaces, and what follows stands under the text of an item. Words
 * and commands that are longer than that stay whole. Without a width (a pipe, a file) nothing changes.
 */
export function wrapped(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split('\n')
    .map((line) => (cellsOf(line) <= width ? line : wrappedLine(line, width)))
    .join('\n');
}

/** Cells of a terminal that the widest line takes. */
export function widthOf(text: string): number {
  return largest(text.split('\n').map(cellsOf));
}

/** The largest of the numbers, 0 without any; however many they are. */
export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}

/** Nearly all text is this, and then its length says it at once. */
const plainAscii = /^[ -~]*$/;

function cellsOf(line: string): number {
  return plainAscii.test(line) ? line.length : stringWidth(line);
}

/** Cells that the longest of the words takes that are never broken; a command at the end takes a line of its own. */
export function longestWord(text: string): number {
  return largest(glued(text, together).split(' ').map(cellsOf));
}

/**
 * A policy with its settings, or a path, in lines of so many columns: one ends at a space or behind a colon, comma, plus or slash, and
 * behind a hyphen where a part is longer than a line.
 */
export function wrappedLabel(label: string, width: number): string {
  const fitting = partsOf(label).flatMap((part) => (cellsOf(part.trimEnd()) <= width ? [part] : hyphenated(part)));
  const lines: string[] = [];
  for (const part of fitting) {
    const line = `${lines.at(-1) ?? ''}${part}`;
    if (lines.length > 0 && cellsOf(line.trimEnd()) <= width) lines[lines.length - 1] = line;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Cells that the longest part of a label takes that is never broken. */
export function longestPart(label: string): number {
  return largest(
    partsOf(label)
      .flatMap(hyphenated)
      .map((part) => cellsOf(part.trimEnd())),
  );
}

function partsOf(label: string): string[] {
  return label.split(/(?<=[:,+/ ])/);
}

function hyphenated(part: string): string[] {
  return part.split(/(?<=-)/);
}

function wrappedLine(line: string, width: number): string {
  const [start = ''] = /^ *(- )?/.exec(line) ?? [];
  const hanging = start.length + (/^ +$/.test(start) ? detailIndent : 0);
  return wrapAnsi(glued(line.slice(start.length), [finalCommand, ...together]), Math.max(1, width - hanging))
    .replaceAll(glue, ' ')
    .split('\n')
    .map((part, at) => `${at === 0 ? start : ' '.repeat(hanging)}${part}`)
    .join('\n');
}

function glued(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((all, pattern) => all.replace(pattern, (part) => part.replaceAll(' ', glue)), text);
}
