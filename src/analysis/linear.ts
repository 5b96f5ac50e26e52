/** A pivot this small beside the largest entry of its column means that the equations do not determine the solution. */
const smallestPivot = 1e-12;

/** Solves a small square system by elimination with row pivoting; undefined where it has no single solution. */
export function solveLinear(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const size = right.length;
  // Columns are scaled to one, so that pivots compare whatever the units of the unknowns.
  const scales = right.map((_, column) => Math.max(...matrix.map((row) => Math.abs(row[column] ?? 0))));
  if (scales.some((scale) => !(scale > 0))) return undefined;
  const rows = matrix.map((row, at) => {
    const scaled = row.map((value, column) => value / (scales[column] ?? 1));
    const norm = Math.max(...scaled.map(Math.abs)) || 1;
    return [...scaled.map((value) => value / norm), (right[at] ?? 0) / norm];
  });
  for (let column = 0; column < size; column += 1) {
    const pivot = rows.slice(column).reduce((best, row) => (at(row, column) > at(best, column) ? row : best));
    if (at(pivot, column) < smallestPivot) return undefined;
    const other = rows.indexOf(pivot);
    rows[other] = rows[column] as number[];
    rows[column] = pivot;
    for (const row of rows) if (row !== pivot) subtract(row, pivot, (row[column] ?? 0) / (pivot[column] ?? 1));
  }
  return rows.map((row, column) => (row[size] ?? 0) / (row[column] ?? 1) / (scales[column] ?? 1));
}

function at(row: readonly number[], column: number): number {
  return Math.abs(row[column] ?? 0);
}

function subtract(row: number[], other: readonly number[], factor: number): void {
  for (const [index, value] of other.entries()) row[index] = (row[index] ?? 0) - factor * value;
}
