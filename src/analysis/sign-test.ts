/**
 * Two-sided sign test: how likely a split at least as uneven as this is if either side were as likely as the other; 1 where
 * nothing differs. Exact (binomial); in logarithms, because the terms of a thousand trials are too small for numbers.
 */
export function signTest(better: number, worse: number): number {
  const trials = better + worse;
  let logTerm = -trials * Math.LN2;
  let tail = 0;
  for (let wins = 0; wins <= Math.min(better, worse); wins += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(trials - wins) - Math.log(wins + 1);
  }
  return Math.min(1, 2 * tail);
}
