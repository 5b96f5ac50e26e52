/** A JSON object, read defensively: pi, its forks and its plug-ins all write these files. */
export type JsonRecord = { readonly [key: string]: unknown };

/** True for a JSON object, false for arrays and null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The objects of a list, whatever else is in it. */
export function recordsOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A string that is not empty, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The first of the values that is a string with something in it. */
export function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (textOf(value) !== undefined) return textOf(value);
  return undefined;
}

/** Compact JSON; '' for what is no JSON or is nested too deeply to be written. */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
