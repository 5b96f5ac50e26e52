// How often a nominal 95 % interval of the pooled saving holds the truth, by drawing sessions from a population whose truth is
// known. Measured, never asserted.
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { estimateSaving } from '../../dist/analysis/index.js';
import { alternatives } from './alternatives.mjs';

const methods = { ...alternatives, 'jackknife t (ours)': (costs) => estimateSaving(costs).ci95 };

/** Coverage in per cent and median width in points, by method, over `trials` samples of `sessions` from `draw`. */
export function coverageOf({ draw, truth, sessions, trials, seed }) {
  const random = xoroshiro128plus(seed);
  const hits = Object.fromEntries(Object.keys(methods).map((name) => [name, 0]));
  const widths = Object.fromEntries(Object.keys(methods).map((name) => [name, []]));
  for (let trial = 0; trial < trials; trial += 1) {
    const pairs = Array.from({ length: sessions }, () => draw(random));
    const costs = { baseline: pairs.map(([baseline]) => baseline), row: pairs.map(([, row]) => row) };
    for (const [name, intervalOf] of Object.entries(methods)) {
      const [low, high] = intervalOf(costs, random);
      if (low <= truth && truth <= high) hits[name] += 1;
      widths[name].push(high - low);
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  return Object.keys(methods).map((name) => ({
    name,
    coverage: hits[name] / trials,
    width: median(widths[name]),
  }));
}

/** Sessions drawn with replacement from recorded ones: their spread of sizes and savings, as it is. */
export function recordedPopulation(pairs) {
  const sum = (which) => pairs.reduce((total, pair) => total + pair[which], 0);
  return { truth: 1 - sum(1) / sum(0), draw: (random) => pairs[uniformInt(random, 0, pairs.length - 1)] };
}

/** Sizes as spread as the recorded ones (log-normal), the saving larger in larger sessions: no session comes twice. */
export function smoothPopulation(spread, { mean, slope, noise }) {
  const draw = (random) => {
    const size = normal(random);
    const baseline = Math.exp(spread * size);
    return [baseline, baseline * (1 - (mean + slope * size + noise * normal(random)))];
  };
  // The mean of size × weight, weight log-normal, is the spread: the saving of the pooled dollar lies `slope` × spread higher.
  return { truth: mean + slope * spread, draw };
}

function normal(random) {
  const radius = Math.sqrt(-2 * Math.log(1 - uniformFloat64(random)));
  return radius * Math.cos(2 * Math.PI * uniformFloat64(random));
}
