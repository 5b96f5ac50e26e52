import { MissingResults, placeholderBehind } from './parts/missing-results.ts';
import { positionFrom } from './parts/opening.ts';
import { rebuiltTurn } from './parts/rebuilt-turn.ts';
import { ruleSummaryTokens } from './parts/rule-summary.ts';
import type { BlockId, Edit, Plan } from './plan.ts';
import type { Policy, PolicyEvent, PolicyKind, ReadonlyState, Settings } from './policy.ts';

/** Bi's default for `recent_turns_full`, which also stands in for a value of 0 or less (seeds/bi-context-management.txt). */
const defaultRecentTurns = 6;

/** `(no output: tool interrupted or timed out)`, counted with o200k, tokens. */
const placeholderTokens = 9;

/**
 * Bi's packing: the last turns in full, older ones as one summary made by rule, without a model call.
 * The summary is frozen and moves on only when more than `slack` further turns have piled up, so most turns only append.
 */
export const turnSummary: PolicyKind = {
  name: 'turn-summary',
  summary:
    'The last recent_turns_full turns in full, older ones as one summary made by rule; it moves on in steps, so most turns only append (Bi).',
  source: 'Bi\'s documentation, page "Context management"',
  params: {
    recent_turns_full: {
      type: 'integer',
      default: defaultRecentTurns,
      doc: 'finished turns carried in full; 0 or less means 6',
    },
    slack: { type: 'integer', default: 2, min: 0, doc: 'further full turns before the summary moves on' },
    turn_cap: {
      type: 'integer',
      default: 40,
      min: 1,
      doc: 'newest turns that are packed at all; older ones are dropped',
    },
    cap_mode: {
      type: 'choice',
      default: 'frozen',
      choices: ['frozen', 'sliding'],
      doc: 'frozen: the cap is applied when the summary moves on; sliding: at every turn',
    },
    first_freeze: {
      type: 'choice',
      default: 'exceed',
      choices: ['exceed', 'immediate'],
      doc: 'exceed: the first summary waits for the slack too; immediate: it comes with the first turn too many',
    },
    summary_position: {
      type: 'choice',
      default: 'message',
      choices: ['message', 'system'],
      doc: 'message: behind the system prompt; system: at its end',
    },
    summary_max_chars: { type: 'integer', default: 0, min: 0, doc: 'characters of the summary at most; 0: no limit' },
    rebuild: {
      type: 'choice',
      default: 'as-sent',
      choices: ['as-sent', 'merged'],
      doc: 'a finished turn comes back as it was sent, or with all calls in one message and the results behind it; without thinking in any case',
    },
  },
  normalize: (settings) => ({ ...settings, recent_turns_full: recentTurnsOf(settings) }),
  create: (settings) => new TurnSummary(settings),
};

function recentTurnsOf(settings: Settings): number {
  const given = settings.recent_turns_full as number;
  return given > 0 ? given : defaultRecentTurns;
}

/** Turns `dropped + 1 … frozen` are in the summary; those before exist no more, those behind are carried in full. */
interface Packing {
  readonly dropped: number;
  readonly frozen: number;
}

class TurnSummary implements Policy {
  readonly events: readonly PolicyEvent[] = ['turn_start', 'ingest', 'pre_request'];
  readonly #settings: Settings;
  #packing: Packing = { dropped: 0, frozen: 0 };
  #isNew = false;
  /** The summary as it stands in the view, or the system block that holds it; -1 before the first. */
  #summary: BlockId = -1;
  /** Tokens of the system block that holds the summary, without it; undefined where the summary is a message. */
  #hostTokens: number | undefined;
  /** That block as the session has it, and where it stands. */
  #host: BlockId = -1;
  #hostAt = -1;
  /** Turns up to this one were built again, or are gone. */
  #rebuilt = 0;
  readonly #missing = new MissingResults();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  on(event: PolicyEvent, state: ReadonlyState): Plan | undefined {
    if (event === 'ingest') return this.#fillIn(state);
    return event === 'turn_start' ? this.#startTurn(state) : this.#nameStable(state);
  }

  #startTurn(state: ReadonlyState): Plan | undefined {
    const next = nextPacking(this.#packing, state.turn - 1, this.#settings);
    const rebuilt = this.#rebuild(state, next.frozen);
    if (next.dropped === this.#packing.dropped && next.frozen === this.#packing.frozen)
      return rebuilt.length > 0 ? { edits: rebuilt } : undefined;
    if (this.#packing.frozen === 0 && this.#settings.summary_position === 'system') this.#takeHost(state);
    const edits = this.#edits(state, next);
    this.#packing = next;
    this.#isNew = edits.length > 0;
    return { edits: [...edits, ...rebuilt] };
  }

  /** A request is built anew in every turn: what was sent of the turn before may not be what is sent of it now. */
  #rebuild(state: ReadonlyState, frozen: number): Edit[] {
    const edits: Edit[] = [];
    for (let turn = Math.max(this.#rebuilt, frozen) + 1; turn < state.turn; turn += 1) {
      const [from, end] = [startOf(state, turn), startOf(state, turn + 1)];
      edits.push(...rebuiltTurn(state, from, end, this.#settings.rebuild === 'merged'));
    }
    this.#rebuilt = state.turn - 1;
    return edits;
  }

  #fillIn(state: ReadonlyState): Plan | undefined {
    const tokens = state.modelTokens(placeholderTokens);
    const missing = this.#missing.take(state).flatMap((call) => placeholderBehind(call, tokens, state) ?? []);
    const edits = [...missing, ...emptyResults(state, tokens)];
    return edits.length > 0 ? { edits } : undefined;
  }

  #edits(state: ReadonlyState, next: Packing): Edit[] {
    const tokens = this.#summaryTokens(state, next);
    const summary = state.positionOf(this.#summary);
    const start = startOf(state, this.#packing.frozen + 1);
    const last = startOf(state, next.frozen + 1) - 1;
    if (this.#hostTokens !== undefined && summary !== -1) {
      const host = state.viewAt(summary);
      this.#hostAt = summary;
      const filled = splice(host, host, { kind: 'system', tokens: this.#hostTokens + tokens, of: this.#host });
      const hosted = tokens === 0 && host === this.#host ? [] : [filled];
      return last < start ? hosted : [...hosted, splice(state.viewAt(start), state.viewAt(last))];
    }
    // Another member of the chain may have taken the summary, or the turns, away.
    const first = summary === -1 ? start : summary;
    if (last < first) return [];
    const put = tokens > 0 ? [{ kind: 'summary' as const, tokens }] : [];
    return [splice(state.viewAt(first), state.viewAt(last), ...put)];
  }

  /** 0 where no turn is left to be summarized. */
  #summaryTokens(state: ReadonlyState, { dropped, frozen }: Packing): number {
    if (dropped >= frozen) return 0;
    return ruleSummaryTokens(state, dropped + 1, frozen, this.#settings.summary_max_chars as number);
  }

  #takeHost(state: ReadonlyState): void {
    for (let position = startOf(state, 1) - 1; position >= 0; position -= 1) {
      const id = state.viewAt(position);
      if (state.originOf(id) !== id || state.block(id).kind !== 'system') continue;
      this.#summary = id;
      this.#host = id;
      this.#hostTokens = state.tokens(id);
      return;
    }
  }

  /** The summary has an identity only once it stands in the view. */
  #nameStable(state: ReadonlyState): Plan | undefined {
    if (!this.#isNew) return undefined;
    this.#isNew = false;
    const at = this.#hostTokens === undefined ? startOf(state, this.#packing.frozen + 1) - 1 : this.#hostAt;
    const id = at < 0 ? -1 : state.viewAt(at);
    // A summary stands for no block of the session, one inside the system part for that; anything else has taken its place.
    this.#summary = id !== -1 && state.originOf(id) === this.#host ? id : -1;
    return this.#summary === -1 ? undefined : { stable: this.#summary };
  }
}

/**
 * History beyond the cap is dropped whatever else is set. Where that leaves no more turns than are carried in full, there is
 * never anything to summarize and the cap moves with every turn; else it is applied as `cap_mode` says.
 */
function nextPacking({ dropped, frozen }: Packing, finished: number, settings: Settings): Packing {
  const recent = recentTurnsOf(settings);
  const slack = settings.slack as number;
  const beyondCap = Math.max(dropped, finished - (settings.turn_cap as number));
  if (recent + slack >= (settings.turn_cap as number))
    return { dropped: beyondCap, frozen: Math.max(frozen, beyondCap) };
  const wait = frozen === 0 && settings.first_freeze === 'immediate' ? 0 : slack;
  const advances = finished - frozen > recent + wait;
  const capIsDue = advances || (frozen > 0 && settings.cap_mode === 'sliding');
  return { frozen: advances ? finished - recent : frozen, dropped: capIsDue ? beyondCap : dropped };
}

function emptyResults(state: ReadonlyState, tokens: number): Edit[] {
  const edits: Edit[] = [];
  for (let id = state.ingestFirst; id < state.ingestEnd; id += 1) {
    const { kind, images } = state.block(id);
    if (kind !== 'result' || state.tokens(id) > 0 || images || state.positionOf(id) === -1) continue;
    const placeholder = { kind: 'stub' as const, tokens, of: id };
    edits.push({ from: id, to: id, with: [placeholder], sticky: true, reason: 'empty result gets a placeholder' });
  }
  return edits;
}

function splice(from: BlockId, to: BlockId, ...put: Edit['with']): Edit {
  return { from, to, with: put, sticky: true, reason: 'older turns summarized by rule' };
}

/** Where a turn starts in the view. Results that answer calls of the turn before belong to that, and so does what precedes them. */
function startOf(state: ReadonlyState, turn: number): number {
  const { first, end } = state.turnBlocks(turn);
  const calls = new Set<string>();
  let start = first;
  for (let id = first; id < end; id += 1) {
    const { kind, callId } = state.block(id);
    if (callId === undefined) continue;
    if (kind === 'call') calls.add(callId);
    else if (!calls.has(callId)) start = id + 1;
  }
  return positionFrom(state, start);
}
