import type { ParamSpec, PolicyEvent, ReadonlyState, Settings } from '../policy.ts';
import type { History, Message } from './history.ts';
import { historyTokens, positionFrom } from './opening.ts';
import { levelOf } from './trigger.ts';

/** What of the newest history stays as it is when the older part goes; the strictest that is given decides. */
export const tailParams = {
  keep_tokens: { type: 'integer', default: 0, min: 0, doc: 'newest tokens that stay; 0: not given' },
  keep_share: { type: 'number', default: 0, min: 0, max: 1, doc: 'share of the history that stays; 0: not given' },
  keep_window: { type: 'number', default: 0, min: 0, max: 1, doc: 'the same as a share of the window' },
  keep_turns: {
    type: 'integer',
    default: 0,
    min: 0,
    doc: 'newest turns that stay, the current one counted; 0: not given',
  },
  keep_messages: { type: 'integer', default: 0, min: 0, doc: 'newest messages that stay; 0: not given' },
  keep_events: { type: 'integer', default: 0, min: 0, doc: 'newest prompts, replies, calls and results that stay' },
  keep_level: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    doc: 'as much stays as fits below this share of the level of the trigger, in what that measures; 0: not given',
  },
  cut_at: {
    type: 'choice',
    default: 'message',
    choices: ['message', 'prompt'],
    doc: 'where a cut may fall: between any two messages but a call and its result, or in front of a prompt only',
  },
  round: {
    type: 'choice',
    default: 'up',
    choices: ['up', 'down'],
    doc: 'where a cut would part a call from its result, a little more stays, or a little less',
  },
} as const satisfies Record<string, ParamSpec>;

/** Where a history is cut: a message, `messages.length` for its end, and its position in the view. */
export interface Cut {
  readonly message: number;
  readonly position: number;
}

/**
 * The message in front of which the older part ends; messages before `first` are gone already or stay for good. Nothing that
 * waits for its results is removed, nor a prompt that has not been sent yet.
 */
export function cutOf(
  event: PolicyEvent,
  state: ReadonlyState,
  { messages, awaitsResults }: History,
  settings: Settings,
  first: number,
): Cut | undefined {
  const last = awaitsResults ? messages.length - 1 : endOfSent(event, state, messages);
  const keep = { from: firstKept(state, messages, settings), tokens: budgetOf(settings, state) };
  const roundsUp = settings.round === 'up';
  let tail = 0;
  let position = state.viewLength;
  let best: Cut | undefined;
  for (let at = messages.length; at >= first; at -= 1) {
    const id = messages[at]?.id ?? Number.POSITIVE_INFINITY;
    for (; position > 0 && state.originOf(state.viewAt(position - 1)) >= id; position -= 1)
      tail += state.tokens(state.viewAt(position - 1));
    const isTooMuch = at < keep.from || tail > keep.tokens;
    if (isTooMuch && !roundsUp && best) return best;
    if (at > last || messages[at]?.isSafeCut === false) continue;
    if (settings.cut_at === 'prompt' && messages[at]?.kind !== 'prompt') continue;
    best = { message: at, position };
    if (roundsUp && (at <= keep.from || tail >= keep.tokens)) return best;
  }
  return roundsUp ? undefined : best;
}

/** Where a message begins in the view; the view's end for none. */
export function positionOfMessage(state: ReadonlyState, message: Message | undefined): number {
  return positionFrom(state, message?.id ?? Number.POSITIVE_INFINITY);
}

/** Before a turn's first request its prompt has not been sent: it stays. */
function endOfSent(event: PolicyEvent, state: ReadonlyState, messages: readonly Message[]): number {
  const isBeforeFirst = (event === 'turn_start' || event === 'pre_request' || event === 'overflow') && state.round <= 1;
  return isBeforeFirst ? firstOfTurn(state.turn, messages) : messages.length;
}

function firstOfTurn(turn: number, messages: readonly Message[]): number {
  let at = messages.length;
  while (at > 0 && (messages[at - 1] as Message).turn >= turn) at -= 1;
  return at;
}

/** First message that the counts keep; where no count is given, those that tokens keep are all that stays. */
function firstKept(state: ReadonlyState, messages: readonly Message[], settings: Settings): number {
  const turns = settings.keep_turns as number;
  const count = settings.keep_messages as number;
  const events = settings.keep_events as number;
  const firsts: number[] = [];
  if (turns > 0) firsts.push(firstOfTurn(state.turn - turns + 1, messages));
  if (count > 0) firsts.push(Math.max(0, messages.length - count));
  if (events > 0) firsts.push(firstOfEvents(messages, events));
  if (firsts.length > 0) return Math.max(...firsts);
  return givesTokens(settings) ? 0 : messages.length;
}

/** The messages behind this one hold fewer than so many events. */
function firstOfEvents(messages: readonly Message[], events: number): number {
  const { eventsBefore, events: own } = messages.at(-1) ?? { eventsBefore: 0, events: 0 };
  let at = messages.length;
  while (at > 0 && eventsBefore + own - (messages[at]?.eventsBefore ?? eventsBefore + own) < events) at -= 1;
  return at;
}

function givesTokens(settings: Settings): boolean {
  return [settings.keep_tokens, settings.keep_share, settings.keep_window, settings.keep_level].some(
    (value) => (value as number) > 0,
  );
}

/** Tokens that may stay; Infinity where only counts are given. */
function budgetOf(settings: Settings, state: ReadonlyState): number {
  const tokens = settings.keep_tokens as number;
  const share = settings.keep_share as number;
  const ofWindow = settings.keep_window as number;
  const budgets: number[] = [];
  const ofLevel = settings.keep_level as number;
  if (ofLevel > 0) {
    const opening = settings.measure === 'history' ? 0 : state.nextPrompt - historyTokens(state);
    budgets.push(Math.floor(ofLevel * levelOf(settings, state) + 1e-6) - opening);
  }
  if (tokens > 0) budgets.push(tokens);
  if (share > 0) budgets.push(Math.floor(share * historyTokens(state)));
  if (ofWindow > 0) budgets.push(Math.floor(ofWindow * state.window + 1e-6));
  return Math.min(Number.POSITIVE_INFINITY, ...budgets);
}
