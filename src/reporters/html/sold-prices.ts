/** Prices of a read and of a five-minute write relative to fresh input, as they are sold. */
export interface SoldPrices {
  readonly name: string;
  readonly read: number;
  readonly write: number;
}

/** A choice that spans what is sold (providers.md §1.5 for Claude, §2 for OpenAI, §3 for Gemini, §4 for the others). */
export const soldPrices: readonly SoldPrices[] = [
  { name: 'Claude Fable 5.1', read: 0.025, write: 1.25 },
  { name: 'Claude Opus 5.5', read: 0.05, write: 1.25 },
  { name: 'Claude to 5, GPT-5.6', read: 0.1, write: 1.25 },
  { name: 'DeepSeek V4 flash', read: 0.02, write: 1 },
  { name: 'GPT-5 to 5.5, Gemini', read: 0.1, write: 1 },
  { name: 'GPT-4.1, Grok 4.6', read: 0.25, write: 1 },
  { name: 'GPT-4o', read: 0.5, write: 1 },
];
