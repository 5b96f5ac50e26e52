/** Rules of Gemini's explicit caching as dated data (providers.md §3). First row that matches model and date wins. */
export interface GeminiContentRule {
  readonly match: RegExp;
  /** Last day of the rule, `YYYY-MM-DD`; absent: until further notice. */
  readonly until?: string;
  /** Smallest content, tokens. */
  readonly minTokens: number;
  /** US dollars for a million tokens kept for an hour. */
  readonly storageUsdPerMTokHour: number;
  readonly source: string;
  readonly asOf: string;
}

const source = 'Gemini API, caching and pricing pages';

export const geminiContentRules: readonly GeminiContentRule[] = [
  { match: /^gemini-2\.5-pro/, minTokens: 2048, storageUsdPerMTokHour: 4.5, source, asOf: '2026-10-13' },
  { match: /^gemini-2\.5-flash/, minTokens: 2048, storageUsdPerMTokHour: 1, source, asOf: '2026-10-13' },
  { match: /^gemini-3\.1-pro/, minTokens: 4096, storageUsdPerMTokHour: 4.5, source, asOf: '2026-10-13' },
  {
    match: /^gemini-3\.8-flash/,
    until: '2026-12-31',
    minTokens: 4096,
    storageUsdPerMTokHour: 0.5,
    source,
    asOf: '2026-10-13',
  },
  { match: /^gemini-3\.8-flash/, minTokens: 4096, storageUsdPerMTokHour: 1, source, asOf: '2026-10-13' },
];

/** Seconds that a content lives from its creation where the client names no other time; a read does not prolong it (§3). */
export const geminiContentSeconds = 3600;

/** The rule for a model at a time (milliseconds since the epoch); without a time, today's. Undefined where no price of storage is known. */
export function geminiContentRule(model: string, timeMs?: number): GeminiContentRule | undefined {
  return geminiContentRules.find(
    ({ match, until }) =>
      match.test(model) && (until === undefined || timeMs === undefined || timeMs < dayAfter(until)),
  );
}

function dayAfter(date: string): number {
  return Date.parse(date) + 86_400_000;
}
