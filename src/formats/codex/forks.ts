import type { SeenRequests } from '../format.ts';
import { requestKeys } from './copies.ts';
import type { Header } from './facts.ts';
import type { Entry } from './log.ts';
import { uuidTime } from './uuid.ts';

/** Lines of a copied prefix that were stamped anew all carry the moment of the fork. */
const burstMilliseconds = 1000;

/**
 * How many leading entries of a fork or sub-agent were copied from its parent, by the first sign that can be read: turns
 * older than the session, requests that the parent's file holds, lines older than the session, or a burst of usage within
 * the second of the fork. A child that starts from zero copies nothing; only what is visibly a copy is taken for one.
 */
export function copiedPrefix(entries: readonly Entry[], header: Header, seen: Pick<SeenRequests, 'has'>): number {
  if (header.parent === undefined) return 0;
  return (
    byTurnIds(entries, header) ??
    byRequests(entries, header, seen) ??
    byTimes(entries, header) ??
    byBurst(entries, header)
  );
}

/** Turn ids hold their time of creation, and copies keep them, whatever happens to the lines' own times. */
function byTurnIds(entries: readonly Entry[], { created }: Header): number | undefined {
  if (created === undefined) return undefined;
  const times = entries.map((entry) => (startsTurn(entry) ? uuidTime(entry.turnId) : undefined));
  if (!times.some((time) => time !== undefined)) return undefined;
  const own = times.findIndex((time) => time !== undefined && time >= created);
  const copied = times.findIndex((time) => time !== undefined && time < created);
  if (copied === -1 || (own !== -1 && own < copied)) return 0;
  return own === -1 ? entries.length : own;
}

/** The same sequence of counts as in the parent's file. */
function byRequests(entries: readonly Entry[], header: Header, seen: Pick<SeenRequests, 'has'>): number | undefined {
  let turnId: string | undefined;
  let last = -1;
  for (const [at, entry] of entries.entries()) {
    if (startsTurn(entry)) turnId = entry.turnId;
    if (!isRequest(entry)) continue;
    const keys = requestKeys(turnId, [header.parent, ...header.others], entry.counted.key);
    if (!keys.some((key) => seen.has(key))) break;
    last = at;
  }
  return last === -1 ? undefined : endOfCopy(entries, last, entries.length, header);
}

/** Copies that kept their times lie before the session's own first moment. */
function byTimes(entries: readonly Entry[], { created }: Header): number | undefined {
  if (created === undefined) return undefined;
  const limit = created - burstMilliseconds;
  const timed = entries.map((entry) => (entry.kind === 'meta' ? undefined : entry.time));
  if ((timed.find((time) => time !== undefined) ?? limit) >= limit) return undefined;
  const own = timed.findIndex((time) => time !== undefined && time >= limit);
  return own === -1 ? entries.length : own;
}

/** No model answers within the second in which its file began. */
function byBurst(entries: readonly Entry[], header: Header): number {
  const start = entries[0]?.time;
  if (start === undefined) return 0;
  const pause = entries.findIndex((entry) => entry.time !== undefined && entry.time - start > burstMilliseconds);
  const end = pause === -1 ? entries.length : pause;
  const last = entries.slice(0, end).findLastIndex(isRequest);
  return last === -1 ? 0 : (endOfCopy(entries, last, end, header) ?? 0);
}

/**
 * The child's own part begins with its first turn behind the last copied request. Without such a turn, and without the
 * parent's header, nothing shows that these lines are a copy.
 */
function endOfCopy(entries: readonly Entry[], last: number, end: number, { others }: Header): number | undefined {
  const ownTurn = entries.findIndex((entry, at) => at > last && startsTurn(entry));
  if (ownTurn === -1) return others.length > 0 ? end : undefined;
  return Math.min(ownTurn, end);
}

function isRequest(entry: Entry): entry is Entry & { kind: 'usage' | 'side-usage' } {
  return entry.kind === 'usage' || entry.kind === 'side-usage';
}

function startsTurn(entry: Entry): entry is Entry & { kind: 'task-start' | 'settings' } {
  return entry.kind === 'task-start' || entry.kind === 'settings';
}
