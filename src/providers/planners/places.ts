/** Writes the places that exist into `out`, ascending and each once; returns how many. At most four are ever given. */
export function placeMarkers(out: Int32Array, a: number, b: number, c: number, d: number): number {
  let count = 0;
  for (const place of [a, b, c, d]) {
    if (place < 0) continue;
    let at = count;
    while (at > 0 && (out[at - 1] as number) > place) at -= 1;
    if (at > 0 && out[at - 1] === place) continue;
    for (let behind = count; behind > at; behind -= 1) out[behind] = out[behind - 1] as number;
    out[at] = place;
    count += 1;
  }
  return count;
}
