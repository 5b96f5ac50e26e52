import type { BlockId, ExtraCall, NewBlock, Plan } from '../plan.ts';
import type { Policy, PolicyEvent, ReadonlyState, Settings } from '../policy.ts';
import { callsFor } from './calls.ts';
import { History } from './history.ts';
import { openingLength } from './opening.ts';
import { type Cut, cutOf, positionOfMessage } from './tail.ts';
import { type Done, hasLevel, Trigger, tableWindow } from './trigger.ts';

/** Events at which a compactor looks, by its setting `when`; `step` is after a turn and between the requests of one. */
const eventsByWhen: Readonly<Record<string, readonly PolicyEvent[]>> = {
  request: ['pre_request'],
  'turn-start': ['turn_start'],
  'turn-end': ['turn_end'],
  response: ['post_response'],
  step: ['turn_end', 'pre_request'],
  idle: ['idle_deadline'],
  overflow: [],
};

/** What a compaction removes from the view: positions `from … end - 1`, and the message that then comes first. */
interface Removal {
  readonly from: number;
  readonly end: number;
  readonly message: number;
  readonly tokens: number;
}

/**
 * Replaces the older part of the history by something short, or by nothing. Opening context, the head that `keep_first`
 * names and the tail stay as they are.
 */
export class Compactor implements Policy {
  readonly events: readonly PolicyEvent[];
  /** A system that has a level goes by that; what does not fit is then what the window itself cannot hold. */
  readonly outputReserve: number | undefined;
  readonly #settings: Settings;
  readonly #history = new History();
  readonly #trigger: Trigger;
  /** First message that no compaction has removed. */
  #first = 0;
  #done: Done = { tokens: 0, results: 0, messages: 0, events: 0, turns: 0 };
  /** Message that a summary in the making will reach; its edit comes with the next request. */
  #pending: number | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#trigger = new Trigger(settings);
    const events = new Set(eventsByWhen[settings.when as string]);
    if (settings.on_overflow === 'yes' || settings.when === 'overflow') events.add('overflow');
    if (settings.background === 'yes') events.add('pre_request');
    this.events = [...events];
    this.outputReserve = hasLevel(settings) ? 0 : undefined;
  }

  windowOf(model: string): number | undefined {
    return tableWindow(this.#settings, model);
  }

  on(event: PolicyEvent, state: ReadonlyState): Plan | undefined {
    this.#history.read(state);
    if (this.#pending !== undefined) return this.#takePending(state);
    const isDue =
      event === 'overflow' ||
      (this.#looksAt(event, state) && this.#trigger.isReached(state, this.#history, this.#done));
    return isDue ? this.#compact(event, state) : undefined;
  }

  #looksAt(event: PolicyEvent, state: ReadonlyState): boolean {
    if (this.#settings.when === 'step' && event === 'pre_request') return state.round > 1;
    return eventsByWhen[this.#settings.when as string]?.includes(event) ?? false;
  }

  #compact(event: PolicyEvent, state: ReadonlyState): Plan | undefined {
    const { messages } = this.#history;
    const first = Math.max(this.#first, this.#head());
    if (first >= messages.length) return undefined;
    const cut = cutOf(event, state, this.#history, this.#settings, first);
    if (!cut) return undefined;
    const removal = this.#removal(state, cut);
    const put = this.#put(state, removal.message);
    const gain = removal.tokens - put.reduce((sum, { tokens }) => sum + tokens, 0);
    const least = (this.#settings.min_progress as number) * state.nextPrompt;
    if (gain <= 0 || (gain < least && event !== 'overflow')) return undefined;
    const calls = callsFor(state, removal, this.#overlap(state), this.#settings);
    this.#history.closeMessage();
    if (this.#settings.background === 'yes' && event !== 'overflow') {
      this.#pending = removal.message;
      return { calls };
    }
    return this.#replace(state, removal, put, calls);
  }

  #takePending(state: ReadonlyState): Plan | undefined {
    const message = this.#pending as number;
    this.#pending = undefined;
    const position = positionOfMessage(state, this.#history.messages[message]);
    const removal = this.#removal(state, { message, position });
    return removal.tokens === 0 ? undefined : this.#replace(state, removal, this.#put(state, message), []);
  }

  #removal(state: ReadonlyState, { message, position }: Cut): Removal {
    const from = this.#from(state);
    let tokens = 0;
    for (let at = from; at < position; at += 1) tokens += state.tokens(state.viewAt(at));
    return { from, end: position, message, tokens };
  }

  #replace(state: ReadonlyState, removal: Removal, put: readonly NewBlock[], calls: readonly ExtraCall[]): Plan {
    const edit = {
      from: state.viewAt(removal.from),
      to: state.viewAt(removal.end - 1),
      with: put,
      sticky: true,
      reason: put.length === 0 ? 'older history dropped' : 'older history summarized',
    };
    this.#first = removal.message;
    this.#done = this.#doneUpTo(state, removal.message);
    const stable = this.#settings.call === 'none' && removal.from > 0 ? { stable: state.viewAt(removal.from - 1) } : {};
    return { edits: [edit], ...(calls.length > 0 ? { calls } : {}), ...stable };
  }

  #doneUpTo(state: ReadonlyState, at: number): Done {
    const { messages, results, events } = this.#history;
    const next = messages[at];
    return {
      tokens: 0,
      results: next?.resultsBefore ?? results.length,
      messages: at - this.#head(),
      events: (next?.eventsBefore ?? events) - (messages[this.#head()]?.eventsBefore ?? 0),
      turns: state.turn,
    };
  }

  /** Message behind the head that stays for good: keep_first, or a little more where that would part a call from its result. */
  #head(): number {
    const { messages } = this.#history;
    let head = Math.max(this.#settings.keep_first as number, this.#history.answersOpening);
    while (messages[head]?.isSafeCut === false) head += 1;
    return head;
  }

  /** Where the removed part begins: behind opening and head, and behind the summaries before where those stay. */
  #from(state: ReadonlyState): number {
    const { messages } = this.#history;
    if (this.#first > 0 && this.#settings.previous === 'stay') return positionOfMessage(state, messages[this.#first]);
    let from = openingLength(state);
    const headEnd = this.#head() === 0 ? -1 : (messages[this.#head()]?.id ?? Number.POSITIVE_INFINITY);
    for (; from < state.viewLength; from += 1) {
      const origin = state.originOf(state.viewAt(from));
      if (origin === -1 || origin >= headEnd) break;
    }
    return from;
  }

  /** What comes in place of the removed part: the user's own messages as far as they stay, the summary, what is read again. */
  #put(state: ReadonlyState, message: number): NewBlock[] {
    const summary = this.#settings.summary_tokens as number;
    const reattached = this.#settings.reattach_tokens as number;
    return [
      ...userMessages(state, this.#history, message, this.#settings),
      ...(summary > 0 ? [{ kind: 'summary' as const, tokens: summary }] : []),
      ...(reattached > 0 ? [{ kind: 'meta' as const, tokens: reattached }] : []),
    ];
  }

  /** Tokens of turns that were summarized before and are read once more (ADK's overlap). */
  #overlap(state: ReadonlyState): number {
    const next = this.#history.messages[this.#first];
    if (this.#first === 0 || !next) return 0;
    let tokens = 0;
    for (let turn = Math.max(1, next.turn - (this.#settings.overlap_turns as number)); turn < next.turn; turn += 1) {
      const { first, end } = state.turnBlocks(turn);
      for (let id = first; id < end; id += 1) tokens += state.tokens(id);
    }
    return tokens;
  }
}

/**
 * Prompts of the removed part that stay: the newest so many (Goose), and the newest within a budget, of which the one that does
 * not fit is cut (Codex).
 */
function userMessages(state: ReadonlyState, history: History, message: number, settings: Settings): NewBlock[] {
  const end: BlockId = history.messages[message]?.id ?? Number.POSITIVE_INFINITY;
  const firstWhole = history.prompts.length - (settings.keep_prompts as number);
  const kept: NewBlock[] = [];
  let left = settings.keep_user_tokens as number;
  for (let at = history.prompts.length - 1; at >= 0 && (left > 0 || at >= firstWhole); at -= 1) {
    const id = history.prompts[at] as BlockId;
    if (id >= end) continue;
    const tokens = at >= firstWhole ? state.tokens(id) : Math.min(left, state.tokens(id));
    left = Math.max(0, left - tokens);
    kept.push({ kind: 'prompt', tokens, of: id });
  }
  return kept.reverse();
}
