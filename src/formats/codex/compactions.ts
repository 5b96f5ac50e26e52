import type { TokenCount } from '../../session/index.ts';
import { promptTokens } from '../../session/index.ts';
import type { Entry } from './log.ts';

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** Reports something by kind, line, detail and tokens. */
export type NoteLine = (kind: string, line: number, detail: string, tokens: TokenCount) => void;

/**
 * The entries with the requests that wrote a summary set aside: they stand in no conversation. Found by the response that
 * the `compacted` line names, else as the record directly before it behind which the model said nothing.
 */
export function settleCompactions(entries: readonly Entry[], note: NoteLine): Entry[] {
  if (!entries.some(({ kind }) => kind === 'compacted')) return [...entries];
  const aside = new Set<Entry>();
  const recorded = new Set<Entry>();
  const restored = new Map<Entry, Entry>();
  for (const [at, entry] of entries.entries()) {
    if (entry.kind !== 'compacted') continue;
    const own = requestOf(entries, at, aside);
    if (own?.isAside) aside.add(own.entry);
    if (own) recorded.add(entry);
    const kept = isKnown(entries, entry.latest) ? undefined : entry.latest;
    if (!kept) continue;
    if (!own && kept.responseId !== undefined && kept.responseId === entry.responseId) {
      const { line, time } = entry;
      restored.set(entry, { kind: 'side-usage', counted: kept.counted, tier: undefined, line, time });
      recorded.add(entry);
    } else note('unread-usage', entry.line, 'compacted/latest_token_usage_record', tokensOf(kept.counted.usage));
  }
  return entries.flatMap((entry) => {
    const before = restored.get(entry);
    return before ? [before, settled(entry, aside, recorded)] : [settled(entry, aside, recorded)];
  });
}

function settled(entry: Entry, aside: ReadonlySet<Entry>, recorded: ReadonlySet<Entry>): Entry {
  if (entry.kind === 'usage' && aside.has(entry)) {
    const { counted, tier, line, time } = entry;
    return { kind: 'side-usage', counted, tier, line, time };
  }
  return entry.kind === 'compacted' && recorded.has(entry) ? { ...entry, isRecorded: true } : entry;
}

interface Found {
  readonly entry: Of<'usage'>;
  /** False where the model said something in it: then it stands in the conversation, too, and is counted there. */
  readonly isAside: boolean;
}

/** The request that wrote the summary of the entry at `at`. */
function requestOf(entries: readonly Entry[], at: number, taken: ReadonlySet<Entry>): Found | undefined {
  const { responseId } = entries[at] as Of<'compacted'>;
  const isFree = (entry: Entry): entry is Of<'usage'> =>
    entry.kind === 'usage' && entry.record !== undefined && !taken.has(entry);
  if (responseId === undefined) {
    const last = lastUsage(entries, at);
    const entry = entries[last];
    if (!entry || !isFree(entry) || saidSomething(entries, last, at) || hasOutput(entries, last)) return undefined;
    return { entry, isAside: true };
  }
  const named = [...entries.keys()].filter((it) => {
    const entry = entries[it] as Entry;
    return isFree(entry) && entry.record?.responseId === responseId;
  });
  // A relay may give every response one name: then only one without output is the summary's.
  const silent = named.filter((it) => !hasOutput(entries, it));
  const found = silent.findLast((it) => it < at) ?? silent.find((it) => it > at && lastReset(entries, it) === at);
  if (found !== undefined) return { entry: entries[found] as Of<'usage'>, isAside: true };
  const [only, ...others] = named;
  return only !== undefined && others.length === 0
    ? { entry: entries[only] as Of<'usage'>, isAside: false }
    : undefined;
}

function lastUsage(entries: readonly Entry[], at: number): number {
  return entries.findLastIndex(({ kind }, it) => it < at && (kind === 'usage' || kind === 'compacted'));
}

function lastReset(entries: readonly Entry[], at: number): number {
  return entries.findLastIndex(({ kind }, it) => it < at && kind === 'compacted');
}

/** True if the model said something in the response that is counted at `at`. */
function hasOutput(entries: readonly Entry[], at: number): boolean {
  return saidSomething(entries, lastUsage(entries, at), at);
}

function saidSomething(entries: readonly Entry[], from: number, to: number): boolean {
  return entries.slice(Math.max(0, from), to).some((entry) => entry.kind === 'item' && entry.item.from === 'model');
}

/** True for a record whose counts stand among the entries; a name alone would be no proof. */
function isKnown(entries: readonly Entry[], latest: Of<'compacted'>['latest']): boolean {
  if (!latest) return true;
  return entries.some((entry) => entry.kind === 'usage' && sameUsage(entry.counted.usage, latest.counted.usage));
}

function sameUsage(a: Of<'usage'>['counted']['usage'], b: typeof a): boolean {
  return a.fresh === b.fresh && a.cacheRead === b.cacheRead && a.output === b.output;
}

function tokensOf(usage: Of<'usage'>['counted']['usage']): TokenCount {
  return { input: promptTokens(usage), output: usage.output };
}
