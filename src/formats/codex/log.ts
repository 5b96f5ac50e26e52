import { parseTime, type Source } from '../../bytes/index.ts';
import type { Findings } from '../../session/index.ts';
import type { Note } from './counts.ts';
import { type Item, readItem } from './items.ts';
import { ignoredLines, isIgnoredEvent, type Line, readLine } from './lines.ts';
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from './records.ts';
import { humanPrompts, type TurnSign, type UserItem } from './turns.ts';
import { type Counted, TokenCounter } from './usage.ts';

/** What one line means for a session. */
export type Meaning =
  | { readonly kind: 'meta'; readonly meta: JsonRecord }
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'usage'; readonly counted: Counted; readonly model: string | undefined }
  /** A `token_count` that tells of no request. */
  | { readonly kind: 'no-usage' }
  | { readonly kind: 'task-start'; readonly turnId: string | undefined }
  | {
      readonly kind: 'settings';
      readonly turnId: string | undefined;
      readonly model: string | undefined;
      readonly effort: string | undefined;
    }
  | { readonly kind: 'task-end'; readonly aborted: boolean }
  | { readonly kind: 'said'; readonly text: string }
  | {
      readonly kind: 'compacted';
      readonly message: string | undefined;
      readonly replacement: readonly Item[] | undefined;
    }
  | { readonly kind: 'rollback'; readonly turns: number };

/** One line that matters. */
export type Entry = Meaning & { readonly line: number; readonly time: number | undefined };

/** A file as a list of what happened, and which user messages a human wrote. */
export interface Log {
  readonly entries: readonly Entry[];
  readonly human: ReadonlySet<UserItem>;
  /** False where the writer recorded no usage at all. */
  readonly hasUsage: boolean;
}

/** Reads every line once. */
export function readLog(source: Source, findings: Findings): Log {
  const entries: Entry[] = [];
  const reader = new LineReader();
  for (const { line, value } of source.records()) {
    const note = (kind: string, detail?: string) => findings.add(kind, source.path, line, detail);
    const known = readLine(value);
    if (!known) note('unknown-line-type', 'not an object');
    const meaning = known && reader.read(known, note);
    if (!known || !meaning) continue;
    const time = parseTime(known.timestamp);
    if (time === undefined && known.timestamp !== undefined) note('bad-time');
    entries.push({ ...meaning, line, time });
  }
  return { entries, human: humanPrompts(signsOf(entries)), hasUsage: entries.some((it) => it.kind === 'usage') };
}

class LineReader {
  #counter = new TokenCounter();

  read({ type, payload }: Line, note: Note): Meaning | undefined {
    if (type === 'session_meta') return { kind: 'meta', meta: payload };
    if (type === 'turn_context')
      return {
        kind: 'settings',
        turnId: textOf(payload.turn_id),
        model: textOf(payload.model),
        effort: textOf(payload.effort),
      };
    if (type === 'response_item') return itemMeaning(payload, note);
    if (type === 'compacted') return compactedMeaning(payload, note);
    if (type === 'event_msg') return this.#event(payload, note);
    if (!ignoredLines.has(type)) note('unknown-line-type', type);
    return undefined;
  }

  #event(payload: JsonRecord, note: Note): Meaning | undefined {
    const type = textOf(payload.type) ?? '';
    switch (type) {
      case 'token_count':
        return this.#usage(payload.info, note);
      case 'user_message':
        return { kind: 'said', text: textOf(payload.message) ?? '' };
      case 'task_started':
      case 'turn_started':
        return { kind: 'task-start', turnId: textOf(payload.turn_id) };
      case 'task_complete':
      case 'turn_complete':
      case 'turn_aborted':
        return { kind: 'task-end', aborted: type === 'turn_aborted' };
      case 'thread_rolled_back':
        return { kind: 'rollback', turns: Math.max(0, Math.floor(numberOf(payload.num_turns) ?? 0)) };
    }
    if (!isIgnoredEvent(type)) note('unknown-line-type', `event_msg/${type}`);
    return undefined;
  }

  #usage(info: unknown, note: Note): Meaning {
    const counted = this.#counter.next(info, note);
    return counted ? { kind: 'usage', counted, model: textOf(recordOf(info).model) } : { kind: 'no-usage' };
  }
}

function itemMeaning(payload: JsonRecord, note: Note): Meaning | undefined {
  const item = knownItem(payload, note);
  return item && { kind: 'item', item };
}

function compactedMeaning(payload: JsonRecord, note: Note): Meaning {
  const history = payload.replacement_history;
  const items = listOf(history).flatMap((it) => (isRecord(it) ? (knownItem(it, note) ?? []) : []));
  return {
    kind: 'compacted',
    message: textOf(payload.message),
    replacement: Array.isArray(history) ? items : undefined,
  };
}

function knownItem(payload: JsonRecord, note: Note): Item | undefined {
  const item = readItem(payload);
  if (item !== 'unknown') return item;
  note('unknown-block-type', textOf(payload.type) ?? '');
  return undefined;
}

function signsOf(entries: readonly Entry[]): TurnSign[] {
  return entries.flatMap((entry): TurnSign[] => {
    if (entry.kind === 'said') return [{ event: entry.text }];
    return entry.kind === 'item' && entry.item.user ? [{ item: entry.item.user }] : [];
  });
}
