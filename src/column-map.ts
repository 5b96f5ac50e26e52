import { CtxsimError } from './errors.ts';
import { unknownName } from './registry.ts';

/** What `--map` says: for each key, the column that holds it, or several joined with `+` whose sum does. */
export type ColumnMap = Readonly<Record<string, string>>;

/** Where each key is found; a key without columns is absent. */
export type KeyColumns<Key extends string> = { readonly [K in Key]?: readonly string[] };

/**
 * Reads `key=column[,key=column…]`.
 * @throws CtxsimError `bad-map` for what is no such list.
 */
export function parseColumnMap(text: string): ColumnMap {
  const map = new Map<string, string>();
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const key = part.slice(0, Math.max(0, equals)).trim();
    const column = part.slice(equals + 1).trim();
    if (equals === -1 || key === '' || column === '' || map.has(key)) {
      const fault = map.has(key) ? `gives ${key} twice` : `"${part.trim()}" is no KEY=COLUMN`;
      throw new CtxsimError('bad-map', `--map ${text}: ${fault}`, 'Write KEY=COLUMN,KEY=A+B.');
    }
    map.set(key, column);
  }
  return Object.fromEntries(map);
}

/** @throws CtxsimError `unknown-name` for a key of a map that is not one of `keys`. */
export function checkMapKeys(given: Iterable<string>, keys: readonly string[]): void {
  for (const key of given) if (!keys.includes(key)) throw unknownName('key of --map', key, keys);
}

/**
 * The columns of each key: those that the map names, else the one that is called like the key.
 * @throws CtxsimError `unknown-name` for a column that is not there.
 */
export function findColumns<Key extends string>(
  map: ColumnMap,
  keys: readonly Key[],
  header: readonly string[],
): KeyColumns<Key> {
  const found: { [K in Key]?: readonly string[] } = {};
  for (const key of keys) {
    const named = Object.hasOwn(map, key) ? map[key] : undefined;
    if (named !== undefined) found[key] = namedColumns(named, header);
    else if (header.includes(key)) found[key] = [key];
  }
  return found;
}

function namedColumns(named: string, header: readonly string[]): readonly string[] {
  if (header.includes(named)) return [named];
  const parts = named.split('+').map((part) => part.trim());
  for (const part of parts) if (!header.includes(part)) throw unknownName('column', part, header);
  return parts;
}
