import type { CacheModel, CacheRules, RuleNote } from '../provider.ts';
import { ttlMilliseconds } from '../provider.ts';
import {
  type AnthropicRule,
  anthropicInvalidations,
  anthropicLookback,
  anthropicMarkers,
  anthropicRule,
} from './anthropic-rules.ts';
import { MarkerCache } from './marker-cache.ts';

/** Anthropic's prompt cache: entries at markers, 5 minutes or an hour, a smallest prefix per model. */
export const anthropic = anthropicCache('anthropic', 'Anthropic prompt cache: entries at markers', 'anthropic');

/** The same on Amazon Bedrock: shared by an organisation instead of a workspace, larger smallest prefixes for some models. */
export const bedrock = anthropicCache('bedrock', 'Anthropic models on Amazon Bedrock', 'bedrock');

/** The same on Google Cloud: shared by an organisation instead of a workspace. */
export const vertex = anthropicCache('vertex', 'Anthropic models on Google Cloud', 'vertex');

function anthropicCache(name: string, title: string, host: 'anthropic' | 'bedrock' | 'vertex'): CacheModel {
  return {
    name,
    title,
    providers: ['anthropic'],
    examples: ['claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-5', 'claude-sonnet-5-5'],
    rulesFor: ({ model }, timeMs) => {
      const rule = anthropicRule(model, timeMs, host);
      return {
        entries: { at: 'markers', minTokens: rule.minPrefixTokens },
        usesMarkers: true,
        ttls: ['5m', '1h', 'never'],
        lifetimes: ttlMilliseconds,
        settings,
        notes: notesOf(rule, host),
        create: () =>
          new MarkerCache({
            minPrefixTokens: rule.minPrefixTokens,
            markers: anthropicMarkers.count,
            lookback: anthropicLookback.blocks,
            lifetimes: ttlMilliseconds,
          }),
      };
    },
  };
}

const writtenAgain = {
  all: 'the whole prompt is written again',
  behindTools: 'what stands behind the tools is written again',
  messages: 'the messages are written again',
  nothing: 'nothing is written again',
} as const;

/** What a changed setting reaches, where requests name it. */
const settings = Object.fromEntries(
  anthropicInvalidations.flatMap(({ setting, reach }) => (setting === undefined ? [] : [[setting, reach]])),
) as NonNullable<CacheRules['settings']>;

function notesOf(rule: AnthropicRule, host: string): readonly RuleNote[] {
  return [
    {
      rule: 'smallest prefix',
      value: `${rule.minPrefixTokens} tokens`,
      source: `${rule.source} (${rule.asOf})`,
      ...(rule.assumed ? { assumed: true } : {}),
    },
    {
      rule: 'markers',
      value: `at most ${anthropicMarkers.count}`,
      source: `${anthropicMarkers.source} (${anthropicMarkers.asOf})`,
    },
    {
      rule: 'look-back',
      value: `${anthropicLookback.blocks} blocks before the marker, thinking not counted`,
      source: `${anthropicLookback.source} (${anthropicLookback.asOf})`,
    },
    {
      rule: 'lifetime',
      value: '5m or 1h from the start of the request, refreshed by a read',
      source: 'prompt caching page (2026-08-21)',
    },
    {
      rule: 'shared by',
      value: host === 'anthropic' ? 'a workspace, per model' : 'an organisation, per model',
      source: 'prompt caching page (2026-08-21)',
    },
    ...anthropicInvalidations.map(({ change, reach, setting, remark, source, asOf }) => ({
      rule: `change of ${change}`,
      value: [
        writtenAgain[reach],
        ...(setting === undefined ? [] : [`applied where requests name ${setting}`]),
        ...(remark === undefined ? [] : [remark]),
      ].join('; '),
      source: `${source} (${asOf})`,
    })),
    {
      rule: 'not modelled',
      value:
        'changes of tools, effort, thinking and other settings that no request names, and images; a recording shows their cost',
      source: 'prompt caching page (2026-08-21)',
      assumed: true,
    },
  ];
}
