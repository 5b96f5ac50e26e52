import { usageWithin } from '../unread-usage.ts';
import { joinParts, readContent } from './content.ts';
import type { Note } from './counts.ts';
import { type Item, readItem } from './items.ts';
import { Ledger } from './ledger.ts';
import { ignoredLines, isIgnoredEvent, type Line } from './lines.ts';
import type { Meaning } from './log.ts';
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from './records.ts';
import { SaidOnce } from './said.ts';
import { statedTier } from './tiers.ts';

/** Reads the lines of one session, one after the other: what a line counts depends on those before it. */
export class LineReader {
  readonly #ledger = new Ledger();
  readonly #said = new SaidOnce();

  read(line: Line, note: Note): Meaning | undefined {
    const { type, payload } = line;
    const tier = () => statedTier([payload], (name) => note('service-tier', name));
    switch (type) {
      case 'session_meta':
        return { kind: 'meta', meta: payload, tier: tier() };
      case 'turn_context':
        return {
          kind: 'settings',
          turnId: textOf(payload.turn_id),
          model: textOf(payload.model),
          effort: textOf(payload.effort),
          tier: tier(),
        };
      case 'response_item':
        return this.#item(line, note);
      case 'compacted':
        return compactedMeaning(payload, note);
      case 'token_usage_record':
        return this.#record(payload, note);
      case 'event_msg':
        return this.#event(line, note);
    }
    if (!ignoredLines.has(type)) note('unknown-line-type', type);
    noteUsage(line, type, note);
    return undefined;
  }

  #item(line: Line, note: Note): Meaning | undefined {
    const item = readItem(line.payload);
    if (item === 'unknown') {
      const type = textOf(line.payload.type) ?? '';
      note('unknown-block-type', type);
      noteUsage(line, type, note);
    }
    if (item === 'unknown' || item === undefined) return undefined;
    if (item.from === 'model') this.#ledger.output();
    return { kind: 'item', item };
  }

  #event(line: Line, note: Note): Meaning | undefined {
    const { payload } = line;
    const type = textOf(payload.type) ?? '';
    switch (type) {
      case 'token_count':
        return this.#count(payload, note);
      case 'user_message':
        return this.#prompt(textOf(payload.message) ?? '');
      case 'item_completed':
        if (isUserMessage(payload.item)) return this.#promptItem(payload);
        break;
      case 'thread_settings_applied':
        return threadSettings(recordOf(payload.thread_settings), note);
      case 'task_started':
      case 'turn_started':
        this.#said.startTurn();
        return { kind: 'task-start', turnId: textOf(payload.turn_id) };
      case 'task_complete':
      case 'turn_complete':
      case 'turn_aborted':
        noteUsage(line, `event_msg/${type}`, note);
        return { kind: 'task-end', aborted: type === 'turn_aborted' };
      case 'thread_rolled_back':
        return { kind: 'rollback', turns: Math.max(0, Math.floor(numberOf(payload.num_turns) ?? 0)) };
    }
    if (!isIgnoredEvent(type)) note('unknown-line-type', `event_msg/${type}`);
    noteUsage(line, `event_msg/${type}`, note);
    return undefined;
  }

  #prompt(text: string): Meaning | undefined {
    return this.#said.isNew('event', text) ? { kind: 'said', text, isItem: false } : undefined;
  }

  /** Histories in pages have no `user_message` events: a prompt is an item that was completed. */
  #promptItem({ item }: JsonRecord): Meaning | undefined {
    const { id, content } = recordOf(item);
    const text = joinParts(readContent(content).parts);
    return this.#said.isNew('item', text, textOf(id)) ? { kind: 'said', text, isItem: true } : undefined;
  }

  #record(payload: JsonRecord, note: Note): Meaning | undefined {
    const booked = this.#ledger.record(payload, note);
    if (!booked) return undefined;
    const tier = statedTier([payload, recordOf(payload.usage)], (name) => note('service-tier', name));
    const record = { responseId: booked.responseId, threadId: textOf(payload.thread_id) };
    return { kind: 'usage', counted: booked.counted, model: textOf(payload.model), tier, record };
  }

  #count(payload: JsonRecord, note: Note): Meaning {
    const info = recordOf(payload.info);
    const counted = this.#ledger.count(payload.info, note);
    const tier = statedTier([payload, info], (name) => note('service-tier', name));
    return counted
      ? { kind: 'usage', counted, model: textOf(info.model), tier, record: undefined }
      : { kind: 'no-usage', tier };
  }
}

function threadSettings(settings: JsonRecord, note: Note): Meaning {
  return {
    kind: 'thread-settings',
    model: textOf(settings.model),
    effort: textOf(settings.reasoning_effort ?? settings.effort),
    tier: statedTier([settings], (name) => note('service-tier', name)),
  };
}

function compactedMeaning(payload: JsonRecord, note: Note): Meaning {
  const history = payload.replacement_history;
  const items = listOf(history).flatMap((it) => (isRecord(it) ? (knownItem(it, note) ?? []) : []));
  return {
    kind: 'compacted',
    message: textOf(payload.message),
    replacement: Array.isArray(history) ? items : undefined,
    responseId: textOf(payload.compaction_response_id),
    latest: new Ledger().record(recordOf(payload.latest_token_usage_record), () => {}),
    isRecorded: false,
  };
}

function knownItem(payload: JsonRecord, note: Note): Item | undefined {
  const item = readItem(payload);
  if (item !== 'unknown') return item;
  note('unknown-block-type', textOf(payload.type) ?? '');
  return undefined;
}

function isUserMessage(item: unknown): boolean {
  return isRecord(item) && (item.type === 'UserMessage' || item.type === 'user_message');
}

/** A line of which none is known to hold a usage says so if it does: no bill has these tokens. */
function noteUsage({ raw }: Line, type: string, note: Note): void {
  const tokens = usageWithin(raw);
  if (tokens && tokens.input + tokens.output > 0) note('unread-usage', type.slice(0, 64), tokens);
}
