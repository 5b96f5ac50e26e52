import { isDeepStrictEqual } from 'node:util';
import { parseTime, type Source } from '../../bytes/index.ts';
import type { Findings } from '../../session/index.ts';
import { type NoteLine, settleCompactions } from './compactions.ts';
import type { Note } from './counts.ts';
import { createdAt, idOf, parentOf } from './facts.ts';
import { type Line, readLine } from './lines.ts';
import type { Entry, Log } from './log.ts';
import { LineReader } from './meaning.ts';
import { isRecord, type JsonRecord, textOf } from './records.ts';
import { humanPrompts, type TurnSign } from './turns.ts';
import { isUuid } from './uuid.ts';

/**
 * The sessions of one stream, each as a log. A file holds one; several stand behind each other where files were joined.
 * Of several copies of a session the longest comes first: the others add what it lacks.
 */
export function readLogs(source: Source, findings: Findings): Log[] {
  const sections: Section[] = [];
  let current = new Section();
  for (const { line, value } of source.records()) {
    const note: Note = (kind, detail, tokens) => findings.add(kind, source.path, line, detail, 1, tokens);
    const known = readLine(value);
    if (!known) {
      note('unknown-line-type', 'not an object');
      continue;
    }
    const time = parseTime(known.timestamp);
    if (known.type === 'session_meta' && !current.holds(known, time)) {
      sections.push(current);
      current = new Section();
    }
    const copy = current.splitCopy(known);
    if (copy) {
      sections.push(current);
      current = copy;
    }
    current.read(known, line, time, note);
  }
  const noteLine: NoteLine = (kind, line, detail, tokens) => findings.add(kind, source.path, line, detail, 1, tokens);
  return copiesOf([...sections, current]).flatMap((copies) =>
    copies.map((section, at) => logOf(section.entries, at > 0, noteLine)),
  );
}

/** The lines of one session as far as they were read. */
class Section {
  readonly entries: Entry[] = [];
  readonly #reader = new LineReader();
  /** The first header, and every session that a header names: a fork copies those of its parents. */
  #header: Line | undefined;
  #last: Line | undefined;
  readonly #ids = new Set<string>();
  /** Time of the latest line that is no header. */
  #latest: number | undefined;
  #hasLines = false;
  /** Where the session's own header was repeated, by position in `entries`. */
  #repeatedAt: number | undefined;
  #firstTurn: string | undefined;
  #firstUsage: JsonRecord | undefined;

  get id(): string | undefined {
    return this.#header && idOf(this.#header.payload);
  }

  /** True if a header belongs to this session: its own, written again, or one that a fork copied from its parents. */
  holds(header: Line, time: number | undefined): boolean {
    if (!this.#header || !this.#last) return !this.#hasLines;
    const id = idOf(header.payload);
    if (!this.#hasLines) return id === this.id || this.#descendsFrom(header, id);
    if (id === undefined || !this.#ids.has(id)) return false;
    if (time !== undefined && this.#latest !== undefined && time < this.#latest) return false;
    return id !== this.id || !isDeepStrictEqual(header.raw, this.#header.raw);
  }

  read(known: Line, line: number, time: number | undefined, note: Note): void {
    if (known.type === 'session_meta') this.#meta(known);
    else {
      this.#hasLines = true;
      if (time !== undefined) this.#latest = Math.max(time, this.#latest ?? time);
      this.#firstUsage ??= usageOf(known);
      this.#firstTurn ??= turnOf(known);
    }
    const meaning = this.#reader.read(known, note);
    if (!meaning) return;
    if (time === undefined && known.timestamp !== undefined) note('bad-time');
    this.entries.push({ ...meaning, line, time });
    if (meaning.kind === 'no-usage') this.#amendTier(meaning.tier);
  }

  /**
   * What was read since the header was repeated, if the session begins again there: with its first turn, or with its first
   * count behind something that the model said. A resumed session goes on.
   */
  splitCopy(next: Line): Section | undefined {
    const at = this.#repeatedAt;
    if (at === undefined || !this.#last) return undefined;
    const usage = usageOf(next);
    const turn = turnOf(next);
    const isAgain =
      (turn !== undefined && isUuid(turn) && turn === this.#firstTurn) ||
      (usage !== undefined && isDeepStrictEqual(usage, this.#firstUsage) && this.entries.slice(at).some(isOutput));
    if (usage !== undefined) this.#repeatedAt = undefined;
    if (!isAgain) return undefined;
    const copy = new Section();
    copy.#meta(this.#last);
    copy.#hasLines = true;
    copy.entries.push(...this.entries.splice(at));
    return copy;
  }

  #meta(header: Line): void {
    const id = idOf(header.payload);
    if (this.#hasLines && id === this.id) this.#repeatedAt = this.entries.length;
    this.#header ??= header;
    this.#last = header;
    for (const it of [id, parentOf(header.payload)]) if (it !== undefined) this.#ids.add(it);
  }

  /**
   * A header directly behind another one is its parent's where that is named, or where the copy was written at the same
   * moment; else the first header's session has no lines.
   */
  #descendsFrom(header: Line, id: string | undefined): boolean {
    const before = this.#last as Line;
    const parent = parentOf(before.payload);
    if (id === undefined || id === parent) return true;
    const [older, newer] = [createdAt(header.payload), createdAt(before.payload)];
    if (parent !== undefined || (older !== undefined && newer !== undefined && older >= newer)) return false;
    const [time, other] = [parseTime(header.timestamp), parseTime(before.timestamp)];
    return time === undefined || other === undefined || time === other;
  }

  /** The `token_count` beside a record may say the tier where the record does not. */
  #amendTier(tier: Extract<Entry, { kind: 'no-usage' }>['tier']): void {
    const at = tier === undefined ? -1 : this.entries.findLastIndex(({ kind }) => kind === 'usage');
    const entry = this.entries[at];
    if (entry?.kind === 'usage' && entry.record && entry.tier === undefined) this.entries[at] = { ...entry, tier };
  }
}

function turnOf({ type, payload }: Line): string | undefined {
  const isStart = type === 'event_msg' && (payload.type === 'task_started' || payload.type === 'turn_started');
  return isStart ? textOf(payload.turn_id) : undefined;
}

/** What a line counts, in either book. */
function usageOf({ type, payload }: Line): JsonRecord | undefined {
  if (type === 'token_usage_record') return payload;
  return type === 'event_msg' && payload.type === 'token_count' && isRecord(payload.info) ? payload.info : undefined;
}

function isOutput(entry: Entry): boolean {
  return entry.kind === 'item' && entry.item.from === 'model';
}

/** The copies of each session, the longest first; the sessions in the order of their first copies. */
function copiesOf(sections: readonly Section[]): Section[][] {
  const groups = new Map<unknown, Section[]>();
  for (const section of sections) {
    const key = section.id ?? section;
    groups.set(key, [...(groups.get(key) ?? []), section]);
  }
  return [...groups.values()].map((group) => group.toSorted((a, b) => b.entries.length - a.entries.length));
}

function logOf(all: readonly Entry[], isLaterCopy: boolean, note: NoteLine): Log {
  const entries = settleCompactions(all, note);
  const hasUsage = entries.some(({ kind }) => kind === 'usage' || kind === 'side-usage');
  return { entries, human: humanPrompts(signsOf(entries)), hasUsage, isLaterCopy };
}

function signsOf(entries: readonly Entry[]): TurnSign[] {
  return entries.flatMap((entry): TurnSign[] => {
    if (entry.kind === 'said') return [{ event: entry.text, isItem: entry.isItem }];
    return entry.kind === 'item' && entry.item.user ? [{ item: entry.item.user }] : [];
  });
}
