import type { BilledTier } from '../../session/index.ts';
import { type JsonRecord, textOf } from './records.ts';

/** A tier as a line states it; `standard` is billed as listed, and overrules an earlier line that says otherwise. */
export type StatedTier = BilledTier | 'standard';

/** Names that OpenAI and Codex have for their tiers: Codex says `fast` for what the API calls `priority`. */
const tiers: ReadonlyMap<string, StatedTier> = new Map([
  ['priority', 'fast'],
  ['fast', 'fast'],
  ['flex', 'flex'],
  ['batch', 'batch'],
  ['default', 'standard'],
  ['auto', 'standard'],
  ['standard', 'standard'],
]);

/** What the first of these objects that names a service tier says; undefined where none does. A tier of another name is given to `odd`. */
export function statedTier(places: readonly JsonRecord[], odd: (name: string) => void): StatedTier | undefined {
  const place = places.find((it) => 'service_tier' in it);
  if (!place) return undefined;
  const name = textOf(place.service_tier);
  // A null is a setting that was taken back.
  if (name === undefined) return 'standard';
  const tier = tiers.get(name.toLowerCase());
  if (tier === undefined) odd(name);
  return tier ?? 'standard';
}
