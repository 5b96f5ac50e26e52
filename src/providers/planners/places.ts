/** Markers that a request may carry (providers.md §1.1). */
const mostMarkers = 4;

/** Writes the places that exist into `out`, ascending and each once; returns how many. At most four are ever given. */
export function placeMarkers(out: Int32Array, a: number, b: number, c: number, d: number): number {
  let count = 0;
  for (const place of [a, b, c, d]) count = addMarker(out, count, place);
  return count;
}

/** Adds a place to the ascending ones in `out`, if it exists, is not there yet and there is room; returns how many there are then. */
export function addMarker(out: Int32Array, count: number, place: number): number {
  if (place < 0 || count === mostMarkers) return count;
  let at = count;
  while (at > 0 && (out[at - 1] as number) > place) at -= 1;
  if (at > 0 && out[at - 1] === place) return count;
  for (let behind = count; behind > at; behind -= 1) out[behind] = out[behind - 1] as number;
  out[at] = place;
  return count + 1;
}
