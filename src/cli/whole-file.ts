import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * The file in whose place another may be put: what a link leads to, or one that is not there yet. Undefined for a device or a
 * pipe, which is written into and never replaced. Throws where what is there may not be written.
 */
export function replaceable(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return path;
  accessSync(path, constants.W_OK);
  return found.isFile() ? realpathSync(path) : undefined;
}

/** Where a file stands until it is whole. */
export function partialOf(place: string): string {
  return `${place}.partial`;
}

/** Writes a whole file, or leaves the one that is there as it was: a full disk must not take it away. */
export function writeWhole(path: string, text: string): void {
  const place = replaceable(path);
  if (place === undefined) {
    writeFileSync(path, text);
    return;
  }
  const partial = partialOf(place);
  try {
    writeFileSync(partial, text);
    renameSync(partial, place);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
