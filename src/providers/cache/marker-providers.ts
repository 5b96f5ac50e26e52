import type { CacheModel } from '../provider.ts';
import { idleLifetimes } from './lifetimes.ts';
import { MarkerCache } from './marker-cache.ts';

/** One provider that caches at markers as Anthropic does, as dated data. */
interface MarkerProvider {
  readonly name: string;
  readonly title: string;
  readonly provider: string;
  readonly example: string;
  readonly minPrefixTokens: number;
  readonly idleSeconds: number;
  readonly source: string;
}

/** Markers per request, and blocks before a marker that are searched: 20 positions with the marker's own, as published by both. */
const markers = { count: 4, lookback: 19 } as const;

const providers: readonly MarkerProvider[] = [
  {
    name: 'qwen-explicit',
    title: 'Qwen explicit cache: entries at markers',
    provider: 'qwen',
    example: 'qwen4-max',
    minPrefixTokens: 1024,
    idleSeconds: 300,
    source: 'Model Studio help (2026-11-16)',
  },
  {
    name: 'minimax-active',
    title: 'MiniMax active cache: entries at markers',
    provider: 'minimax',
    example: 'minimax-m2.7',
    minPrefixTokens: 512,
    idleSeconds: 300,
    source: 'platform.minimax.io (2026-11-30)',
  },
];

/** Providers with Anthropic-style markers, each a row of data. */
export const markerCaches: readonly CacheModel[] = providers.map(
  ({ name, title, provider, example, minPrefixTokens, idleSeconds, source }) => {
    const lifetimes = idleLifetimes(idleSeconds);
    return {
      name,
      title,
      providers: [provider],
      examples: [example],
      rulesFor: () => ({
        entries: { at: 'markers', minTokens: minPrefixTokens },
        usesMarkers: true,
        ttls: ['5m', 'never'],
        lifetimes,
        notes: [
          { rule: 'smallest prefix', value: `${minPrefixTokens} tokens`, source },
          { rule: 'markers', value: `at most ${markers.count}`, source },
          { rule: 'look-back', value: `${markers.lookback + 1} positions, counting the marker`, source },
          { rule: 'lifetime', value: `${idleSeconds} s, refreshed by a read`, source },
        ],
        create: () =>
          new MarkerCache({ minPrefixTokens, markers: markers.count, lookback: markers.lookback, lifetimes }),
      }),
    };
  },
);
