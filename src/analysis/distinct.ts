import { compareText } from '../session/index.ts';

/** The values that occur, sorted, as one text. */
export function distinct(values: readonly string[], separator = ', '): string {
  return [...new Set(values)].sort(compareText).join(separator);
}
