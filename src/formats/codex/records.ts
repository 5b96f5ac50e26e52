/** A JSON object, read defensively: a rollout is written by many versions and products. */
export type JsonRecord = { readonly [key: string]: unknown };

/** True for a JSON object, false for arrays and null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The value as an array, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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

/** A finite number, or undefined. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The object that a text encodes, or an empty one. */
export function parseRecord(text: unknown): JsonRecord {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return {};
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}
