import { plain } from './plain.ts';
import { type TextTable, tableText } from './table.ts';
import { wrapped } from './wrap.ts';

/** A sentence, in a pipe one line, or a table. */
export type PagePart = string | TextTable;

/**
 * What people read, in one place: sentences are wrapped and tables fitted to the width of a terminal, and no control character of
 * a transcript reaches it. Paragraphs stand apart, their parts follow one another; what is empty is left out.
 */
export function pageText(
  paragraphs: readonly (PagePart | readonly PagePart[])[],
  { width }: { readonly width?: number | undefined },
): string {
  const text = paragraphs
    .map((parts) => withText((isList(parts) ? parts : [parts]).map((part) => partText(part, width))).join('\n'))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
  return text === '' ? '' : `${text}\n`;
}

function partText(part: PagePart, width: number | undefined): string {
  return typeof part === 'string' ? wrapped(plain(part), width) : tableText(part, width);
}

function withText(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== '');
}

function isList(parts: PagePart | readonly PagePart[]): parts is readonly PagePart[] {
  return Array.isArray(parts);
}
