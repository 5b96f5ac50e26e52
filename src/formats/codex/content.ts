import { isRecord, listOf, textOf } from './records.ts';

/** The text parts of a message or a tool output, and how many images lie between them. */
export interface Content {
  readonly parts: readonly string[];
  readonly images: number;
}

/** Reads a string, a list of content parts, or an object with a `content` of either kind. */
export function readContent(value: unknown): Content {
  if (typeof value === 'string') return { parts: [value], images: 0 };
  if (isRecord(value)) return readContent(value.content);
  const parts: string[] = [];
  let images = 0;
  for (const part of listOf(value)) {
    if (typeof part === 'string') parts.push(part);
    else if (isRecord(part) && typeof part.text === 'string') parts.push(part.text);
    else if (isRecord(part) && isImage(part)) images += 1;
  }
  return { parts, images };
}

/** The parts as one text, each beginning on a line of its own. */
export function joinParts(parts: readonly string[]): string {
  return parts.reduce((text, part) => (text === '' || text.endsWith('\n') ? text + part : `${text}\n${part}`), '');
}

function isImage(part: { readonly [key: string]: unknown }): boolean {
  return textOf(part.type)?.includes('image') === true || part.image_url !== undefined;
}
