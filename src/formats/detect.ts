import { CtxsimError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import type { Format } from './format.ts';

const keysShown = 12;

/**
 * The format of a file by its first parsed values (at most 20).
 * @throws CtxsimError `unknown-format` if no format knows them, `ambiguous-format` if more than one knows each of them.
 */
export function detectFormat(head: readonly unknown[], path: string, formats: Registry<Format>): Format {
  const [format, ...others] = formats.all.filter((it) => it.sniff(head));
  if (format && others.length === 0) return format;
  const first = format && firstOf(head, formats);
  if (first) return first;
  throw format ? ambiguousFormat(path, [format, ...others]) : unknownFormat(head, path, formats);
}

/** Of a stream that joins several formats: that of the first record which one format alone knows. */
function firstOf(head: readonly unknown[], formats: Registry<Format>): Format | undefined {
  for (const value of head) {
    const [format, ...others] = formats.all.filter((it) => it.sniff([value]));
    if (format && others.length === 0) return format;
  }
  return undefined;
}

function unknownFormat(head: readonly unknown[], path: string, formats: Registry<Format>): CtxsimError {
  return new CtxsimError(
    'unknown-format',
    `${path}: no known transcript format (${describeHead(head)})`,
    `Name the format with --input-format NAME (known: ${formats.names.join(', ')}), or write the file in the native format.`,
  );
}

function ambiguousFormat(path: string, matches: readonly Format[]): CtxsimError {
  const names = matches.map((it) => it.name);
  return new CtxsimError(
    'ambiguous-format',
    `${path}: could be ${names.join(' or ')}`,
    `Name the format with --input-format ${names.join(' or --input-format ')}.`,
  );
}

/** What the first records look like, so that a reader of the message sees what the file is. */
function describeHead(head: readonly unknown[]): string {
  if (head.length === 0) return 'no line of it is JSON';
  const keys = new Set(head.flatMap((value) => (isObject(value) ? Object.keys(value) : [])));
  if (keys.size === 0) return 'its first records are no JSON objects';
  const shown = [...keys].slice(0, keysShown).map((key) => JSON.stringify(key));
  return `its first records have the keys ${shown.join(', ')}${keys.size > keysShown ? ', …' : ''}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
