import { advanceParams, bestBatch, eventsOf, Moment } from './parts/advance.ts';
import { History } from './parts/history.ts';
import { charsOf, replacementTokens, replaceParams, stubOf } from './parts/replace.ts';
import { OldResults, selectParams } from './parts/select.ts';
import { Trigger, tableWindow, triggerParams } from './parts/trigger.ts';
import type { BlockId, Edit, ExtraCall, Plan } from './plan.ts';
import type { Policy, PolicyEvent, PolicyKind, ReadonlyState, Settings } from './policy.ts';

/**
 * Stubs older tool results in place. `elide` is the special case of a turn boundary and heph's
 * own rules; this one has every other choice of selection, replacement and advance that real systems make.
 */
export const mask: PolicyKind = {
  name: 'mask',
  summary:
    'Older tool results give way to a stub in place; what is old, when it looks, how much must be gained and what stands instead are settings.',
  source: 'Anthropic context editing, SWE-agent and others; each preset names its own',
  params: {
    ...advanceParams,
    ...triggerParams,
    target: { type: 'integer', default: 0, min: 0, doc: 'oldest first until the request has so many tokens; 0: all' },
    most: { type: 'integer', default: 0, min: 0, doc: 'results per edit; 0: no limit' },
    ...selectParams,
    ...replaceParams,
    inputs: {
      type: 'choice',
      default: 'keep',
      choices: ['keep', 'clear', 'only'],
      doc: 'clear: arguments of the call go too; only: they go and the result stays',
    },
    min_input_chars: { type: 'integer', default: 0, min: 0, doc: 'calls of at most so many characters stay' },
    input_tokens: {
      type: 'integer',
      default: 8,
      min: 0,
      doc: 'size of a call whose arguments went: its name and what marks the gap, tokens (assumed)',
    },
    lasts: {
      type: 'choice',
      default: 'always',
      choices: ['always', 'once'],
      doc: 'once: the stub is for one request, the next carries the result again',
    },
    keeps_cache: {
      type: 'choice',
      default: 'no',
      choices: ['no', 'yes'],
      doc: 'yes: the provider cuts its cached copy too',
    },
    call_tokens: {
      type: 'integer',
      default: 0,
      min: 0,
      doc: 'each stub is written by a call of its own with a prompt of so many tokens beside the pair; 0: no call',
    },
    call_model: { type: 'model', default: 'main', doc: 'model of those calls' },
  },
  usesWindow: true,
  editsInsideTurns: true,
  needsFor: (settings) => [
    ...(settings.when === 'cold' ? ['times' as const] : []),
    ...(settings.tools === 'all' ? [] : ['tools' as const]),
  ],
  create: (settings) => new Mask(settings),
};

class Mask implements Policy {
  readonly events: readonly PolicyEvent[];
  readonly #settings: Settings;
  readonly #history = new History();
  readonly #old: OldResults;
  readonly #trigger: Trigger;
  readonly #moment: Moment;
  /** Results before `#next` are done with; those up to `#edge` wait, and stubbing them all would remove `#gain` tokens. */
  #next: number;
  #edge: number;
  #gain = 0;
  #done = { tokens: 0, results: 0, messages: 0, events: 0, turns: 0 };
  /** The first request seen, tokens, and how many came after it: their growth. */
  #firstPrompt = -1;
  #requests = 0;
  #tokensInFront = -1;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#old = new OldResults(settings, this.#history);
    this.#trigger = new Trigger(settings);
    this.#moment = new Moment(settings);
    this.events = eventsOf(settings);
    this.#next = settings.keep_first as number;
    this.#edge = this.#next;
  }

  windowOf(model: string): number | undefined {
    return tableWindow(this.#settings, model);
  }

  on(event: PolicyEvent, state: ReadonlyState): Plan | undefined {
    if (!this.#moment.hasCome(event, state)) return undefined;
    this.#history.read(state);
    if (this.#firstPrompt === -1) this.#firstPrompt = state.nextPrompt;
    else this.#requests += 1;
    this.#admit(state);
    const isDue =
      this.#gain > 0 &&
      this.#trigger.isReached(state, this.#history, this.#done) &&
      this.#gain >= this.#leastGain(state);
    return isDue ? this.#act(state) : this.#stable(state, {});
  }

  /** Counts what has become old enough since the last look. */
  #admit(state: ReadonlyState): void {
    const end = this.#old.advance(state);
    for (; this.#edge < end; this.#edge += 1) this.#gain += this.#gainOf(this.#edge, state);
    while (this.#next < this.#edge && this.#gainOf(this.#next, state) === 0) this.#next += 1;
  }

  /** Tokens that stubbing a result would remove, its call's arguments included; 0 where it stays. */
  #gainOf(index: number, state: ReadonlyState): number {
    const id = this.#old.ids[index] as BlockId;
    if (state.positionOf(id) === -1) return 0;
    if (this.#settings.inputs === 'only') return this.#inputGain(id, state);
    const put = replacementTokens(id, state, this.#settings);
    return put === undefined ? 0 : state.tokens(id) - put + this.#inputGain(id, state);
  }

  #inputGain(result: BlockId, state: ReadonlyState): number {
    const call = this.#callToCut(result);
    if (call === undefined || state.positionOf(call) === -1) return 0;
    if (charsOf(call, state) <= (this.#settings.min_input_chars as number)) return 0;
    return Math.max(0, state.tokens(call) - (this.#settings.input_tokens as number));
  }

  #callToCut(result: BlockId): BlockId | undefined {
    return this.#settings.inputs === 'keep' ? undefined : this.#history.callOf(result);
  }

  #leastGain(state: ReadonlyState): number {
    if (this.#settings.batch === 'fixed') return this.#settings.min_gain as number;
    if (this.#tokensInFront === -1) this.#tokensInFront = this.#tokensBefore(state);
    const rewritten = state.nextPrompt - this.#tokensInFront - this.#gain;
    const growth = (state.nextPrompt + this.#done.tokens - this.#firstPrompt) / this.#requests;
    return bestBatch(rewritten, growth, state.ratios);
  }

  #tokensBefore(state: ReadonlyState): number {
    const end = state.positionOf(this.#old.ids[this.#next] ?? -1);
    let tokens = 0;
    for (let at = 0; at < end; at += 1) tokens += state.tokens(state.viewAt(at));
    return tokens;
  }

  #act(state: ReadonlyState): Plan | undefined {
    const edits: Edit[] = [];
    const calls: ExtraCall[] = [];
    const most = (this.#settings.most as number) || Number.POSITIVE_INFINITY;
    const target = this.#settings.target as number;
    let removed = 0;
    let at = this.#next;
    for (let stubbed = 0; at < this.#edge && stubbed < most; at += 1) {
      if (target > 0 && state.nextPrompt - removed <= target) break;
      const gain = this.#gainOf(at, state);
      if (gain === 0) continue;
      removed += gain;
      stubbed += 1;
      this.#stub(this.#old.ids[at] as BlockId, state, edits, calls);
    }
    if (this.#settings.lasts === 'once') return planWith(edits, calls);
    this.#next = at;
    this.#gain = at === this.#edge ? 0 : this.#gain - removed;
    this.#done = { ...this.#done, tokens: this.#done.tokens + removed, results: at };
    this.#tokensInFront = -1;
    return this.#stable(state, planWith(edits, calls));
  }

  #stub(id: BlockId, state: ReadonlyState, edits: Edit[], calls: ExtraCall[]): void {
    const options = {
      sticky: this.#settings.lasts === 'always',
      reason: 'older tool result cleared',
      ...(this.#settings.keeps_cache === 'yes' ? { keepsCache: true as const } : {}),
    };
    const call = this.#history.callOf(id);
    if (call !== undefined && this.#inputGain(id, state) > 0)
      edits.push(stubOf(call, this.#settings.input_tokens as number, options));
    if (this.#settings.inputs === 'only') return;
    const tokens = replacementTokens(id, state, this.#settings) as number;
    edits.push(stubOf(id, tokens, options));
    if ((this.#settings.call_tokens as number) > 0) calls.push(this.#callFor(id, call, tokens, state));
  }

  #callFor(id: BlockId, call: BlockId | undefined, output: number, state: ReadonlyState): ExtraCall {
    const pair = state.tokens(id) + (call === undefined ? 0 : state.tokens(call));
    const model = this.#settings.call_model as string;
    return {
      purpose: 'stub',
      prefix: 'fresh',
      input: (this.#settings.call_tokens as number) + pair,
      output,
      ...(model === 'main' ? {} : { model }),
      reason: 'a summary of one call and its result',
    };
  }

  /** The next edit begins at the oldest result that is left, or its call; while there is none, at what comes next. */
  #stable(state: ReadonlyState, plan: Plan): Plan {
    const next = this.#old.ids[this.#next];
    const first = next === undefined ? undefined : (this.#callToCut(next) ?? next);
    const at = first === undefined ? state.viewLength : state.positionOf(first);
    return at > 0 ? { ...plan, stable: state.viewAt(at - 1) } : plan;
  }
}

function planWith(edits: readonly Edit[], calls: readonly ExtraCall[]): Plan {
  return calls.length > 0 ? { edits, calls } : { edits };
}
