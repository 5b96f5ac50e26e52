/** Shares a whole number among weights so that the shares are whole and add up to it; equal shares where all weights are 0. */
export function apportion(amount: number, weights: readonly number[]): number[] {
  const sum = total(weights);
  const shares: number[] = [];
  let given = 0;
  let weighed = 0;
  weights.forEach((weight, index) => {
    weighed += sum > 0 ? weight : 1;
    const upTo = Math.round((amount * weighed) / (sum > 0 ? sum : weights.length));
    shares[index] = upTo - given;
    given = upTo;
  });
  return shares;
}

/** The sum. */
export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
