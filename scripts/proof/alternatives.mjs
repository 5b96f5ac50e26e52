// Intervals that were measured and not chosen: percentile, BCa and bootstrap-t (Efron and Tibshirani 1993, §13, §14, §12).
import { uniformInt } from 'pure-rand/distribution/uniformInt';

const draws = 500;

export const alternatives = {
  percentile: (costs, random) => {
    const savings = drawn(costs, random, savingOf);
    return [quantile(savings, 0.025), quantile(savings, 0.975)];
  },
  BCa: (costs, random) => {
    const savings = drawn(costs, random, savingOf);
    const saving = savingOf(costs);
    const below = savings.filter((each) => each < saving).length;
    const bias = normalPoint(Math.min(1 - 1 / draws, Math.max(1 / draws, below / draws)));
    const acceleration = accelerationOf(costs);
    const adjusted = (z) => normalShare(bias + (bias + z) / (1 - acceleration * (bias + z)));
    return [quantile(savings, adjusted(-1.96)), quantile(savings, adjusted(1.96))];
  },
  'bootstrap-t': (costs, random) => {
    const saving = savingOf(costs);
    const error = errorOf(costs);
    const studentized = drawn(costs, random, (sample) => (savingOf(sample) - saving) / Math.max(errorOf(sample), 1e-9));
    return [saving - quantile(studentized, 0.975) * error, saving - quantile(studentized, 0.025) * error];
  },
};

function drawn({ baseline, row }, random, statistic) {
  const values = Array.from({ length: draws }, () => {
    const at = baseline.map(() => uniformInt(random, 0, baseline.length - 1));
    return statistic({ baseline: at.map((index) => baseline[index]), row: at.map((index) => row[index]) });
  });
  return values.sort((a, b) => a - b);
}

function savingOf({ baseline, row }) {
  return 1 - sum(row) / sum(baseline);
}

/** Standard error of a ratio by linearization. */
function errorOf({ baseline, row }) {
  const share = sum(row) / sum(baseline);
  const squares = sum(baseline.map((spent, at) => (row[at] - share * spent) ** 2));
  return Math.sqrt((squares * baseline.length) / (baseline.length - 1)) / sum(baseline);
}

function accelerationOf({ baseline, row }) {
  const [spent, cost] = [sum(baseline), sum(row)];
  const without = baseline.map((each, at) => 1 - (cost - row[at]) / (spent - each));
  const mean = sum(without) / without.length;
  const squares = sum(without.map((each) => (mean - each) ** 2));
  return squares === 0 ? 0 : sum(without.map((each) => (mean - each) ** 3)) / (6 * squares ** 1.5);
}

function quantile(sorted, share) {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  return below + (sorted[Math.ceil(position)] - below) * (position % 1);
}

/** Share of the normal distribution below z (Abramowitz and Stegun 26.2.17). */
function normalShare(z) {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z > 0 ? 1 - tail : tail;
}

function normalPoint(share) {
  let [low, high] = [-8, 8];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
