/** Which models drop the thinking of earlier turns from the prompt when a new human prompt comes. */
export interface ThinkingRule {
  readonly match: RegExp;
  readonly strips: boolean;
  readonly source: string;
  readonly asOf: string;
}

/** First match wins (providers.md §1.4; formats.md §20). */
export const thinkingRules: readonly ThinkingRule[] = [
  {
    match: /claude.*(opus-4-[5-9]|opus-[5-9]|sonnet-4-[6-9]|sonnet-[5-9]|haiku-[5-9]|fable|mythos)/,
    strips: false,
    source: 'Anthropic, context editing page: Opus 4.5, Sonnet 4.6 and later keep all thinking',
    asOf: '2026-08-21',
  },
  {
    match: /claude/,
    strips: true,
    source: 'Anthropic, context editing page: older models keep the thinking of the last turn only',
    asOf: '2026-08-21',
  },
  {
    match: /^gpt-5-[6-9]/,
    strips: false,
    source: 'recorded Codex sessions of gpt-5.6: 47 of 50 turn starts read the whole prompt before them',
    asOf: '2026-11-30',
  },
  {
    match: /^(gpt-5|o\d|codex)/,
    strips: true,
    source:
      'recorded Codex sessions of gpt-5.4 and 5.5: 47 of 61 longer turns lose their reasoning at the next turn start',
    asOf: '2026-11-30',
  },
  { match: /^/, strips: false, source: 'no published rule (assumed)', asOf: '2026-11-30' },
];

/**
 * True where a prompt that shrank a little lost what came last: so it was in recorded Codex sessions of gpt-5.4 and 5.6 (2 of 2 that
 * were not lost whole), while with Claude's models the cache had nothing behind the system part any more.
 */
export function losesNewest(model: string): boolean {
  return !/claude/.test(model.toLowerCase());
}

/** True if the model's provider drops the thinking of earlier turns. */
export function stripsThinking(model: string): boolean {
  const id = model.toLowerCase().replaceAll('.', '-');
  return thinkingRules.find(({ match }) => match.test(id))?.strips ?? false;
}
