import type { BlockId } from '../plan.ts';
import type { ParamSpec, ReadonlyState, Settings } from '../policy.ts';
import type { History } from './history.ts';

/** Which tool results a policy may touch, and which of them it leaves alone. */
export const selectParams = {
  tools: {
    type: 'choice',
    default: 'all',
    choices: ['all', 'not-skills', 'not-skills-or-answers', 'files-shell-web', 'writes', 'web'],
    doc: 'whose results may be touched and are counted',
  },
  keep_first: { type: 'integer', default: 0, min: 0, doc: 'oldest results that are never touched' },
  keep_uses: { type: 'integer', default: 0, min: 0, doc: 'newest results that stay' },
  keep_turns: { type: 'integer', default: 0, min: 0, doc: 'newest turns whose results stay, the current one counted' },
  keep_messages: { type: 'integer', default: 0, min: 0, doc: 'newest messages that stay' },
  keep_rounds: {
    type: 'integer',
    default: 0,
    min: 0,
    doc: 'newest rounds (a response and the results of its calls) whose results stay',
  },
  keep_window: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    doc: 'newest part of the request whose results stay, as a share of the window',
  },
  keep_tokens: { type: 'integer', default: 0, min: 0, doc: 'newest tokens of the other results that stay' },
  first_prompt: {
    type: 'choice',
    default: 'apart',
    choices: ['apart', 'counts'],
    doc: 'counts: the first prompt counts as the oldest result, and is never touched',
  },
  polling: {
    type: 'integer',
    default: 1,
    min: 1,
    doc: 'the boundary of keep_uses and keep_rounds moves once per so many results or rounds',
  },
} as const satisfies Record<string, ParamSpec>;

/** Whether results of this block's tool may be touched. */
function isOf(tools: string, id: BlockId, state: ReadonlyState): boolean {
  const action = state.block(id).action ?? 'other';
  if (tools === 'not-skills') return action !== 'skill';
  if (tools === 'not-skills-or-answers') return action !== 'skill' && action !== 'ask';
  if (tools === 'web') return action === 'fetch';
  if (tools === 'writes') return action === 'edit' || action === 'write';
  return tools === 'all' || filesShellWeb.includes(action);
}

/** Claude Code's list: Read, Bash, Grep, Glob, WebSearch, WebFetch, Edit, Write (second-hand: public reimplementations of 2.1). */
const filesShellWeb = ['view', 'exec', 'search', 'fetch', 'edit', 'write'];

/** The results in their order, and how many of the oldest are old enough to be touched. Its edge only moves forward. */
export class OldResults {
  readonly ids: BlockId[] = [];
  readonly #settings: Settings;
  readonly #history: History;
  #read = 0;
  #outer = 0;
  #edge = 0;
  /** Tokens of the results from `#edge` to `#outer`: those that only keep_tokens protects. */
  #kept = 0;

  constructor(settings: Settings, history: History) {
    this.#settings = settings;
    this.#history = history;
  }

  /** Takes in what the history has read; returns how many results are old enough. */
  advance(state: ReadonlyState): number {
    const { results } = this.#history;
    for (; this.#read < results.length; this.#read += 1) {
      const id = results[this.#read] as BlockId;
      if (isOf(this.#settings.tools as string, id, state)) this.ids.push(id);
    }
    const limit = this.#limitByUses();
    const bound = this.#firstProtected(state);
    for (; this.#outer < limit && this.#touchedBy(this.ids[this.#outer] as BlockId) < bound; this.#outer += 1)
      this.#kept += state.tokens(this.ids[this.#outer] as BlockId);
    this.#moveEdge(state);
    return this.#edge;
  }

  /** What goes where a result is old: it, or its call alone. */
  #touchedBy(result: BlockId): BlockId {
    return this.#settings.inputs === 'only' ? (this.#history.callOf(result) ?? result) : result;
  }

  #moveEdge(state: ReadonlyState): void {
    while (this.#edge < this.#outer) {
      const tokens = state.tokens(this.ids[this.#edge] as BlockId);
      if (this.#kept - tokens < (this.#settings.keep_tokens as number)) return;
      this.#kept -= tokens;
      this.#edge += 1;
    }
  }

  #limitByUses(): number {
    const prompts = this.#settings.first_prompt === 'counts' ? 1 : 0;
    return this.#polled(this.ids.length + prompts) - prompts - (this.#settings.keep_uses as number);
  }

  #polled(count: number): number {
    const polling = this.#settings.polling as number;
    return Math.floor(count / polling) * polling;
  }

  #firstProtected(state: ReadonlyState): BlockId {
    const turns = this.#settings.keep_turns as number;
    const messages = this.#settings.keep_messages as number;
    const rounds = this.#settings.keep_rounds as number;
    const { messages: all, rounds: allRounds } = this.#history;
    const byRound =
      rounds === 0 ? Infinity : (allRounds[Math.max(0, this.#polled(allRounds.length) - rounds)] ?? Infinity);
    const byTurn = turns === 0 ? Infinity : state.turnBlocks(Math.max(1, state.turn - turns + 1)).first;
    const byMessage = messages === 0 ? Infinity : (all[Math.max(0, all.length - messages)]?.id ?? Infinity);
    return Math.min(byTurn, byMessage, byRound, this.#firstInWindow(state));
  }

  /** The oldest block of the newest part of the request that holds so many tokens. */
  #firstInWindow(state: ReadonlyState): BlockId {
    const share = this.#settings.keep_window as number;
    if (share === 0) return Infinity;
    let left = Math.floor(share * state.window + 1e-6);
    let first: BlockId = Infinity;
    for (let at = state.viewLength - 1; at >= 0; at -= 1) {
      const id = state.viewAt(at);
      left -= state.tokens(id);
      if (left < 0) break;
      const origin = state.originOf(id);
      if (origin !== -1) first = Math.min(first, origin);
    }
    return first;
  }
}
