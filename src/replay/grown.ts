/** A copy with room for at least `length` elements, doubling. */
export function grown<T extends Int32Array | Float64Array>(array: T, length: number, fill = 0): T {
  const size = Math.max(length, array.length * 2);
  const copy = (array instanceof Int32Array ? new Int32Array(size) : new Float64Array(size)) as T;
  copy.set(array);
  if (fill !== 0) copy.fill(fill, array.length);
  return copy;
}
