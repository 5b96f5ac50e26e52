import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Seeded draws; nothing here reads the clock. */
export function createDraw(seed) {
  const rng = xoroshiro128plus(Math.imul(seed + 1, 0x9e3779b1));
  // Neighbouring seeds start alike; the first draws are thrown away.
  for (let skipped = 0; skipped < 64; skipped += 1) rng.next();
  const int = ([low, high]) => uniformInt(rng, low, high);
  const unit = () => uniformFloat64(rng);
  return {
    int,
    chance: (probability) => unit() < probability,
    pick: (list) => list[int([0, list.length - 1])],
    weighted(entries) {
      let at = unit() * entries.reduce((sum, { weight }) => sum + weight, 0);
      for (const entry of entries) {
        if (at < entry.weight) return entry;
        at -= entry.weight;
      }
      return entries[0];
    },
  };
}
