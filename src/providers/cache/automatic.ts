import type { CacheModel, RuleNote, TtlClass } from '../provider.ts';
import { ttlMilliseconds } from '../provider.ts';
import { type AutomaticProvider, type AutomaticRule, automaticProviders } from './automatic-rules.ts';
import { idleLifetimes } from './lifetimes.ts';
import { PrefixCache } from './prefix-cache.ts';

/** Providers whose cache works by itself, each a row of data. */
export const automaticCaches: readonly CacheModel[] = automaticProviders.map(cacheOf);

function cacheOf({ name, title, provider, examples, rules }: AutomaticProvider): CacheModel {
  return {
    name,
    title,
    ...(provider === undefined ? {} : { providers: [provider] }),
    examples,
    rulesFor: ({ model, chargesWrites }, timeMs) => {
      const rule = rules.find(({ match, from }) => match.test(model) && isInForce(from, timeMs));
      if (!rule) throw new Error('the last rule matches every model');
      const { minTokens, stepTokens, idleSeconds, freeWrites } = rule;
      const named = idleSeconds === 'named';
      const lifetimes = named ? ttlMilliseconds : idleLifetimes(idleSeconds);
      const ttls: readonly TtlClass[] = named ? ['5m', '1h', 'never'] : ['never'];
      return {
        entries: { at: 'steps', minTokens, stepTokens },
        usesMarkers: false,
        ttls,
        lifetimes,
        notes: notesOf(rule),
        create: () =>
          new PrefixCache({ minTokens, stepTokens, lifetimes, chargesWrites: chargesWrites && !freeWrites }),
      };
    },
  };
}

/** Without a time, rules are today's. */
function isInForce(from: string | undefined, timeMs: number | undefined): boolean {
  return from === undefined || timeMs === undefined || Date.parse(from) <= timeMs;
}

function notesOf({ minTokens, stepTokens, idleSeconds, assumed, source, asOf }: AutomaticRule): readonly RuleNote[] {
  const from = `${source} (${asOf})`;
  const lifetime = idleSeconds === 'named' ? '5m or 1h, as asked for' : `${idleSeconds} s after the last use`;
  return [
    { rule: 'smallest prefix', value: `${minTokens} tokens`, source: from },
    { rule: 'reported in', value: stepTokens === 1 ? 'tokens' : `multiples of ${stepTokens} tokens`, source: from },
    { rule: 'lifetime', value: lifetime, source: from },
    { rule: 'assumed', value: assumed, source: from, assumed: true },
  ];
}
