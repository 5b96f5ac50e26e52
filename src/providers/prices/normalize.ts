import { hostOfSegment, isPlace, pathOf } from './hosts.ts';

/** Path segments that name a vendor or a gateway in front of a model id, as recorded sessions have them. */
const vendorSegments = new Set([
  'accounts',
  'anthropic',
  'copilot',
  'deepseek',
  'deepseek-ai',
  'fireworks',
  'fireworks_ai',
  'gemini',
  'github-copilot',
  'github_copilot',
  'global',
  'google',
  'google-antigravity',
  'litellm_proxy',
  'minimax',
  'mistral',
  'mistralai',
  'models',
  'moonshot',
  'moonshotai',
  'openai',
  'openai-codex',
  'x-ai',
  'xai',
  'z-ai',
  'zai',
  'zai-org',
]);

/** Bedrock's `us.anthropic.`: an optional region group and the maker. */
const bedrockPrefix = /^(?:(?:us|us-gov|eu|apac|ap|jp|au|ca|sa|mx|me|af|il|in|global)\.)?(?:anthropic|openai)\./;

/** Endings that name a snapshot, a window or a price plan of the same model, never a version of it. */
const endings: readonly { readonly of: RegExp; readonly ending: RegExp }[] = [
  { of: /^/, ending: /\[1m\]$/ },
  { of: /^/, ending: /:free$/ },
  { of: /^/, ending: /-v\d+:\d+$/ },
  { of: /^claude-[a-z]+-\d/, ending: /-v\d+$/ },
  { of: /^/, ending: /@(?:20\d{6}|default|latest)$/ },
  { of: /^/, ending: /-20\d{6}$/ },
  { of: /^/, ending: /-20\d{2}-\d{2}-\d{2}$/ },
  // `mistral-large-latest` has no version: which model it means changes, so it keeps its name.
  { of: /\d/, ending: /-latest$/ },
  { of: /^gemini-/, ending: /-\d{2}-(?:\d{2}|20\d{2})$/ },
  { of: /^gemini-/, ending: /-00\d$/ },
];

/**
 * Spellings of a model id from the most exact to the canonical one. Some snapshots have a price of their own
 * (`gpt-4o-2024-05-13`), therefore a price is looked up by the first spelling that has one.
 */
export function spellings(id: string): readonly string[] {
  const found = [familySpelling(withoutVendor(id.trim().toLowerCase()))];
  for (let last = found[0]; last !== undefined; ) {
    const shorter = withoutEnding(last);
    if (shorter !== undefined) found.push(shorter);
    last = shorter;
  }
  return found;
}

/** Canonical spelling of a model id: no vendor, region, snapshot date or plan. It keeps every version number. */
export function normalizeModel(id: string): string {
  return spellings(id).at(-1) ?? id;
}

function withoutVendor(id: string): string {
  const segments = [...pathOf(id)];
  while (segments.length > 1 && isInFront(segments[0] ?? '')) segments.shift();
  return segments.join('/').replace(bedrockPrefix, '');
}

function isInFront(segment: string): boolean {
  return vendorSegments.has(segment) || hostOfSegment(segment) !== undefined || isPlace(segment);
}

function withoutEnding(id: string): string | undefined {
  const rule = endings.find(({ of, ending }) => of.test(id) && ending.test(id));
  const shorter = rule && id.replace(rule.ending, '');
  return shorter === undefined || shorter === '' ? undefined : familySpelling(shorter);
}

/** One spelling per model where makers and tools write the same name in several ways. */
function familySpelling(id: string): string {
  if (id.startsWith('claude-')) return claudeSpelling(id);
  // `gpt-5-4-mini` (Azure) is `gpt-5.4-mini`; the dates of `gpt-5-2025-08-07` have more than one digit.
  return id.replace(/^gpt-([4-9])-(\d)(?=$|[-@[:])/, 'gpt-$1.$2');
}

/** `claude-sonnet-4.6`, `claude-4.6-sonnet` -> `claude-sonnet-4-6`; `claude-sonnet-3.7` -> `claude-3-7-sonnet`. */
function claudeSpelling(id: string): string {
  return id
    .replace(/(\d)\.(?=\d)/g, '$1-')
    .replace(/^claude-([4-9](?:-\d)?)-(opus|sonnet|haiku|fable|mythos)(?=$|[-@[:])/, 'claude-$2-$1')
    .replace(/^claude-(opus|sonnet|haiku)-(3(?:-\d)?)(?=$|[-@[:])/, 'claude-$2-$1')
    .replace(/^(claude-[a-z]+-\d)-0(?=$|[-@[:])/, '$1');
}
