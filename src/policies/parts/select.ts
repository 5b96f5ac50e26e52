import type { BlockId } from '../plan.ts';
import type { ParamSpec, ReadonlyState, Settings } from '../policy.ts';
import type { History } from './history.ts';

/** Which tool results a policy may touch, and which of them it leaves alone (policies.md §4.4). */
export const selectParams = {
  tools: {
    type: 'choice',
    default: 'all',
    choices: ['all', 'not-skills', 'not-skills-or-answers', 'files-shell-web', 'web'],
    doc: 'whose results may be touched and are counted',
  },
  keep_first: { type: 'integer', default: 0, min: 0, doc: 'oldest results that are never touched' },
  keep_uses: { type: 'integer', default: 0, min: 0, doc: 'newest results that stay' },
  keep_turns: { type: 'integer', default: 0, min: 0, doc: 'newest turns whose results stay, the current one counted' },
  keep_messages: { type: 'integer', default: 0, min: 0, doc: 'newest messages that stay' },
  keep_tokens: { type: 'integer', default: 0, min: 0, doc: 'newest tokens of the other results that stay' },
  polling: { type: 'integer', default: 1, min: 1, doc: 'the boundary of keep_uses moves once per so many results' },
} as const satisfies Record<string, ParamSpec>;

/** Whether results of this block's tool may be touched. */
function isOf(tools: string, id: BlockId, state: ReadonlyState): boolean {
  const action = state.block(id).action ?? 'other';
  if (tools === 'not-skills') return action !== 'skill';
  if (tools === 'not-skills-or-answers') return action !== 'skill' && action !== 'ask';
  if (tools === 'web') return action === 'fetch';
  return tools === 'all' || filesShellWeb.includes(action);
}

/** Claude Code's list: Read, Bash, Grep, Glob, WebSearch, WebFetch, Edit, Write (policies.md §3.2, second-hand). */
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
    for (; this.#outer < limit && (this.ids[this.#outer] as BlockId) < bound; this.#outer += 1)
      this.#kept += state.tokens(this.ids[this.#outer] as BlockId);
    this.#moveEdge(state);
    return this.#edge;
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
    const polling = this.#settings.polling as number;
    return Math.floor(this.ids.length / polling) * polling - (this.#settings.keep_uses as number);
  }

  #firstProtected(state: ReadonlyState): BlockId {
    const turns = this.#settings.keep_turns as number;
    const messages = this.#settings.keep_messages as number;
    const { messages: all } = this.#history;
    const byTurn = turns === 0 ? Infinity : state.turnBlocks(Math.max(1, state.turn - turns + 1)).first;
    const byMessage = messages === 0 ? Infinity : (all[Math.max(0, all.length - messages)]?.id ?? Infinity);
    return Math.min(byTurn, byMessage);
  }
}
