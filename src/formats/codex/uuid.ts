const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for an id that no other session can have; older versions count their turns from 0. */
export function isUuid(id: string): boolean {
  return uuid.test(id);
}

/** The creation time inside a version 7 UUID, in milliseconds, or undefined for any other text. */
export function uuidTime(id: string | undefined): number | undefined {
  if (id === undefined || !isUuid(id) || id[14] !== '7') return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
