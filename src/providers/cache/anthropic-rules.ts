import type { SettingName } from '../../session/index.ts';
import type { SettingReach } from '../provider.ts';

/** Rules of Anthropic's prompt cache as dated data. First row that matches model and date wins. */
export interface AnthropicRule {
  readonly match: RegExp;
  /** Where the model is served; absent: everywhere. */
  readonly host?: 'bedrock';
  /** First day of the rule, `YYYY-MM-DD`; absent: always. */
  readonly from?: string;
  /** Smallest prefix that is written, tokens, counted from the start of the prompt. */
  readonly minPrefixTokens: number;
  readonly source: string;
  readonly asOf: string;
  /** True where the number is not published for the model. */
  readonly assumed?: boolean;
}

const docs = 'platform.claude.com, prompt caching page';
const history = 'change history of the prompt caching page';

/** Smallest cacheable prefix by model. */
export const anthropicRules: readonly AnthropicRule[] = [
  {
    match: /opus-4-7/,
    host: 'bedrock',
    minPrefixTokens: 4096,
    source: 'LiteLLM documentation; the Anthropic page says 2,048',
    asOf: '2026-10-07',
    assumed: true,
  },
  {
    match: /sonnet-4-6/,
    host: 'bedrock',
    minPrefixTokens: 2048,
    source: 'AWS agent toolkit; the Anthropic page says 1,024',
    asOf: '2026-08-20',
    assumed: true,
  },
  {
    match: /(opus|fable|mythos)-5-\d/,
    minPrefixTokens: 512,
    source: 'not found; as Opus 5',
    asOf: '2026-11-30',
    assumed: true,
  },
  {
    match: /(sonnet|haiku)-5-\d/,
    minPrefixTokens: 1024,
    source: 'not found; as Sonnet 5',
    asOf: '2026-11-30',
    assumed: true,
  },
  { match: /(opus|fable|mythos)-5/, minPrefixTokens: 512, source: docs, asOf: '2026-08-21' },
  { match: /mythos/, minPrefixTokens: 2048, source: docs, asOf: '2026-08-21' },
  { match: /sonnet-5/, minPrefixTokens: 1024, source: docs, asOf: '2026-08-21' },
  { match: /opus-4-8/, minPrefixTokens: 1024, source: docs, asOf: '2026-08-21' },
  { match: /opus-4-7/, from: '2026-06-09', minPrefixTokens: 2048, source: history, asOf: '2026-08-21' },
  { match: /opus-4-7/, minPrefixTokens: 4096, source: history, asOf: '2026-08-21' },
  { match: /opus-4-[56]/, minPrefixTokens: 4096, source: docs, asOf: '2026-08-21' },
  { match: /sonnet-4-6/, from: '2026-05-14', minPrefixTokens: 1024, source: history, asOf: '2026-08-21' },
  { match: /sonnet-4-6/, from: '2026-02-27', minPrefixTokens: 2048, source: history, asOf: '2026-08-21' },
  { match: /sonnet-4-6/, minPrefixTokens: 1024, source: history, asOf: '2026-08-21' },
  { match: /haiku-4-5/, minPrefixTokens: 4096, source: docs, asOf: '2026-08-21' },
  { match: /haiku/, minPrefixTokens: 2048, source: docs, asOf: '2026-08-21' },
  { match: /^/, minPrefixTokens: 1024, source: docs, asOf: '2026-08-21' },
];

/** What a change of something besides the words makes of the entries before it. */
export interface AnthropicInvalidation {
  readonly change: string;
  /** What is written again; with the old value again, old entries that are still alive are found. */
  readonly reach: SettingReach | 'nothing';
  /** The setting of a request that shows the change, where it is applied. */
  readonly setting?: SettingName;
  /** Why it is not applied as published, or what of it is assumed. */
  readonly remark?: string;
  readonly source: string;
  readonly asOf: string;
}

/** The published table, row by row. A switch of the model needs no row here: every model has a cache of its own. */
export const anthropicInvalidations: readonly AnthropicInvalidation[] = [
  { change: 'tool definitions', reach: 'all', setting: 'tools', source: docs, asOf: '2026-08-21' },
  {
    change: 'effort',
    reach: 'all',
    setting: 'effort',
    remark: 'published: the messages, on some models all of it; taken as all',
    source: docs,
    asOf: '2026-08-21',
  },
  {
    change: 'thinking settings',
    reach: 'all',
    setting: 'thinking',
    remark: 'published: the messages, on some models all of it; taken as all',
    source: docs,
    asOf: '2026-08-21',
  },
  { change: 'fast or standard speed', reach: 'behindTools', setting: 'speed', source: docs, asOf: '2026-08-21' },
  {
    change: 'tool_choice, parallel tool use',
    reach: 'messages',
    setting: 'toolChoice',
    source: docs,
    asOf: '2026-08-21',
  },
  {
    change: 'web search or citations, on or off',
    reach: 'behindTools',
    remark: 'not applied: no transcript shows it',
    source: docs,
    asOf: '2026-08-21',
  },
  {
    change: 'images, some or none',
    reach: 'messages',
    remark:
      'not applied: the one recorded first image (in a tool result, claude-opus-4-5, 2025-12-24) read 75,711 of the 75,714 tokens before it',
    source: docs,
    asOf: '2026-08-21',
  },
  {
    change: 'a system message within the conversation, tools found by search',
    reach: 'nothing',
    source: docs,
    asOf: '2026-08-21',
  },
];

/** Markers per request; a fifth is refused. */
export const anthropicMarkers = { count: 4, source: docs, asOf: '2026-08-21' } as const;

/**
 * Blocks before a marker that are searched, going back one at a time; thinking is not counted. The page says 20 positions with
 * the marker's own. Recorded requests whose prompt had all been sent before (Claude Code 2.1.209 to 2.1.217, 2026-07, one marker on the
 * messages): an entry 20 counted blocks back was read twice, behind one and two of thinking; one 21, 22, 26, 34 and 44 back never.
 */
export const anthropicLookback = {
  blocks: 20,
  source: 'measured on recorded sessions; the prompt caching page says 20 positions, counting the marker',
  asOf: '2026-12-07',
} as const;

/** The rule for a model at a time (milliseconds since the epoch); without a time, today's. */
export function anthropicRule(model: string, timeMs?: number, at = 'anthropic'): AnthropicRule {
  const rule = anthropicRules.find(
    ({ match, from, host }) =>
      match.test(model) &&
      (host === undefined || host === at) &&
      (from === undefined || timeMs === undefined || Date.parse(from) <= timeMs),
  );
  if (!rule) throw new Error('the last rule matches every model');
  return rule;
}
