import type { CacheModel, RuleNote } from '../provider.ts';
import { idleLifetimes } from './lifetimes.ts';
import { MarkerCache } from './marker-cache.ts';
import { type OpenAiRule, openAiBreakpoints, openAiRule, openAiSettings } from './openai-rules.ts';
import { PrefixCache } from './prefix-cache.ts';

/**
 * OpenAI's prompt cache in its generations (providers.md §2): up to gpt-5.5 every prefix of 1,024 tokens and more, reported in
 * steps of 128; from gpt-5.6 on entries at message ends and breakpoints, with a fee for writes.
 */
export const openai: CacheModel = {
  name: 'openai',
  title: 'OpenAI prompt cache, by generation of model',
  providers: ['openai'],
  examples: ['gpt-4.1', 'gpt-5.5', 'gpt-5.6-sol'],
  rulesFor: ({ model, chargesWrites }) => {
    const rule = openAiRule(model);
    const lifetimes = idleLifetimes(rule.idleSeconds, rule.sellsDay);
    const usesMarkers = rule.placement === 'breakpoints';
    const { minTokens, stepTokens } = rule;
    const { markers, lookback } = openAiBreakpoints;
    return {
      entries: usesMarkers ? { at: 'markers', minTokens } : { at: 'steps', minTokens, stepTokens },
      usesMarkers,
      ttls: rule.sellsDay ? ['24h', 'never'] : ['never'],
      lifetimes,
      settings: openAiSettings,
      notes: notesOf(rule),
      create: () =>
        usesMarkers
          ? new MarkerCache({ minPrefixTokens: minTokens, markers, lookback, lifetimes })
          : new PrefixCache({ minTokens, stepTokens, lifetimes, chargesWrites }),
    };
  },
};

function notesOf(rule: OpenAiRule): readonly RuleNote[] {
  const source = `${rule.source} (${rule.asOf})`;
  const { markers, lookback } = openAiBreakpoints;
  return [
    { rule: 'smallest prefix', value: `${rule.minTokens} tokens`, source },
    rule.placement === 'automatic'
      ? { rule: 'reported in', value: `multiples of ${rule.stepTokens} tokens`, source }
      : {
          rule: 'breakpoints',
          value: `at most ${markers} writes a request, the end of the latest message among them`,
          source,
        },
    rule.placement === 'automatic'
      ? { rule: 'entries', value: 'every prefix (assumed: block by block)', source, assumed: true }
      : { rule: 'look-back', value: `${lookback} earlier message ends (assumed: positions)`, source, assumed: true },
    { rule: 'lifetime', value: rule.lifetime, source, assumed: true },
    {
      rule: 'known by',
      value: `also ${Object.keys(openAiSettings).join(', ')}, where requests name them: another value finds nothing`,
      source,
    },
  ];
}
