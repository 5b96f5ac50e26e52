/**
 * A JSON object of unknown shape. The reader asks for literal keys only, none of which Object.prototype has; names that come
 * out of a transcript are keys of maps, never of objects.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function field(object: JsonObject | undefined, key: string): unknown {
  return object?.[key];
}

/** A text field, or undefined; empty texts count as absent. */
export function textField(object: JsonObject | undefined, key: string): string | undefined {
  const value = field(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function objectField(object: JsonObject | undefined, key: string): JsonObject | undefined {
  return asObject(field(object, key));
}

export function listField(object: JsonObject | undefined, key: string): readonly unknown[] {
  return asList(field(object, key));
}

export function isTrue(object: JsonObject | undefined, key: string): boolean {
  return field(object, key) === true;
}

/** The objects of a list, whatever else is in it. */
export function objectsOf(value: unknown): JsonObject[] {
  return asList(value)
    .map(asObject)
    .filter((item) => item !== undefined);
}

/** The texts of a list, whatever else is in it. */
export function textsOf(value: unknown): string[] {
  return asList(value).filter((item): item is string => typeof item === 'string');
}

/** Compact JSON; '' for a value nested too deeply to be written. */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
