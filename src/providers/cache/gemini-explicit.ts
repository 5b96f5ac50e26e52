import { CtxsimError } from '../../errors.ts';
import type { CacheModel, TtlClass } from '../provider.ts';
import { ContentCache } from './content-cache.ts';
import { geminiContentRule, geminiContentRules, geminiContentSeconds } from './gemini-rules.ts';

/** The client's choice, not the provider's: a prompt that grew by a third is worth a new content (assumed). */
const tailShare = 0.25;

const lifetime = geminiContentSeconds * 1000;
const lifetimes: Readonly<Record<TtlClass, number>> = {
  '5m': lifetime,
  '1h': lifetime,
  '24h': lifetime,
  never: lifetime,
};

/** What a model's name begins with for its storage to have a known price. */
const known = [...new Set(geminiContentRules.map(({ match }) => match.source.replace(/[\\^]/g, '')))];

/** Gemini's explicit caching (providers.md §3): contents that the client creates at the price of input and pays the storage of. */
export const geminiExplicit: CacheModel = {
  name: 'gemini-explicit',
  title: 'Gemini explicit cache: contents that the client creates, with storage',
  providers: ['google'],
  examples: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3.1-pro-preview', 'gemini-3.8-flash'],
  rulesFor: ({ model }, timeMs) => {
    const rule = geminiContentRule(model, timeMs);
    if (!rule) {
      throw new CtxsimError(
        'bad-cache',
        `--cache gemini-explicit: no price is known for the storage of ${model}`,
        `It is known for ${known.join(', ')}. Use --cache gemini, which bills no storage.`,
      );
    }
    const { minTokens, storageUsdPerMTokHour } = rule;
    const source = `${rule.source} (${rule.asOf})`;
    return {
      entries: { at: 'elsewhere', minTokens },
      usesMarkers: true,
      markersCost: true,
      ttls: ['1h'],
      lifetimes,
      storageUsdPerMTokHour,
      notes: [
        { rule: 'smallest content', value: `${minTokens} tokens (as for implicit caching)`, source, assumed: true },
        {
          rule: 'storage',
          value: `${storageUsdPerMTokHour} USD per million tokens and hour, from creation to deletion or the end of the lifetime`,
          source,
        },
        { rule: 'creation', value: 'at the price of input, on top of the request', source },
        { rule: 'lifetime', value: '60 minutes from creation, not prolonged by a read', source },
        {
          rule: 'client',
          value: `one content a session, up to the first marker with at most ${tailShare * 100} % of the prompt behind it; made anew where more stands behind it or the prompt changed within it; the old one is deleted, the last runs out`,
          source: 'a choice of ctxsim',
          assumed: true,
        },
        { rule: 'not modelled', value: 'implicit hits beside the content', source, assumed: true },
      ],
      create: () => new ContentCache({ minTokens, lifetime, tailShare }),
    };
  },
};
