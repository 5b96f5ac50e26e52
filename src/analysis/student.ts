/** The 97.5 % point of Student's t by degrees of freedom, computed by quadrature of its density. */
const points: readonly (readonly [freedom: number, t: number])[] = [
  [1, 12.7062],
  [1.25, 8.028],
  [1.5, 6.0167],
  [1.75, 4.9488],
  [2, 4.3027],
  [2.5, 3.5747],
  [3, 3.1824],
  [3.5, 2.9401],
  [4, 2.7764],
  [5, 2.5706],
  [7, 2.3646],
  [10, 2.2281],
  [15, 2.1314],
  [30, 2.0423],
  [60, 2.0003],
  [120, 1.9799],
  [Number.POSITIVE_INFINITY, 1.96],
];

/** The 97.5 % point of Student's t; between the points linear in 1 ÷ freedom, which is off by less than 2 %. Below one degree: that of one. */
export function studentQuantile(freedom: number): number {
  const above = points.findIndex(([at]) => at >= freedom);
  const [, highest] = points[0] as readonly [number, number];
  if (above <= 0) return highest;
  const [lowAt, low] = points[above - 1] as readonly [number, number];
  const [highAt, high] = points[above] as readonly [number, number];
  const share = (1 / lowAt - 1 / freedom) / (1 / lowAt - 1 / highAt);
  return low + (high - low) * share;
}
