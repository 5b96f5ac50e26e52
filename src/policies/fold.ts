import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { Estimator, type EstimatorName, type History, measureHistory } from './fold-history.ts';
import { type ActiveSkill, StateRecord, skillsOf } from './fold-record.ts';
import { checkFoldSettings, foldParams } from './fold-settings.ts';
import { behindOpeningAnswers } from './parts/opening.ts';
import type { ExtraCall, FailedCall, Plan } from './plan.ts';
import type { Policy, PolicyKind, ReadonlyState, Settings } from './policy.ts';

/**
 * heph's folding: when the history is estimated above high water at the start of a turn, the oldest
 * finished turns give way to one state record, down to low water. Differs from a rule-made summary in that a model is asked,
 * and billed, and may fail.
 */
export const fold: PolicyKind = {
  name: 'fold',
  summary:
    "When history passes high water at a turn start, its oldest turns are folded into one state record (heph's second stage; a component of the preset heph).",
  source: "heph's documentation of the [context] table",
  params: foldParams,
  usesWindow: true,
  create: (settings) => new Fold(settings),
};

const attempts = 2;

class Fold implements Policy {
  readonly events = ['turn_start'] as const;
  readonly #settings: Settings;
  readonly #estimator: Estimator;
  #record = new StateRecord();
  #recordTokens = 0;
  #recordAt = 0;
  #skills: readonly ActiveSkill[] = [];
  #folded = 0;
  #draw: (() => number) | undefined;

  constructor(settings: Settings) {
    checkFoldSettings(settings);
    this.#settings = settings;
    this.#estimator = new Estimator(settings.estimator as EstimatorName);
  }

  on(_: string, state: ReadonlyState): Plan | undefined {
    this.#estimator.observe(state);
    const budget = this.#budget(state);
    const high = this.#number('high_water') * budget;
    const newest = state.turn - 1 - this.#number('recent_turns');
    if (newest <= this.#folded || high === Number.POSITIVE_INFINITY) return undefined;
    const history = measureHistory(state, this.#estimator, this.#folded, this.#folded === 0 ? 0 : this.#recordAt);
    const carried = this.#estimator.ofTokens(this.#recordTokens) + this.#estimateSkills(this.#skills);
    if (carried + sum(history.estimates) <= high) return undefined;
    const skills = this.#skillsSince(state);
    const room = this.#number('low_water') * budget - this.#number('summary_max_tokens');
    const upTo = this.#chooseTurn(history, skills, newest, room);
    return upTo === undefined ? undefined : this.#fold(state, history, upTo, activeIn(skills, upTo));
  }

  #number(name: string): number {
    return this.#settings[name] as number;
  }

  #budget({ window, outputReserve }: ReadonlyState): number {
    if (window === Number.POSITIVE_INFINITY) return window;
    return this.#settings.budget_formula === 'half_after_reserve'
      ? Math.floor((window - outputReserve) / 2)
      : Math.floor(window / 2) - outputReserve;
  }

  /** The fewest turns that bring history down to low water beside the record and the skills; all that may go where none do. */
  #chooseTurn(history: History, skills: readonly ActiveSkill[], newest: number, room: number): number | undefined {
    let last: number | undefined;
    let left = sum(history.estimates);
    for (let turn = this.#folded + 1; turn <= newest; turn += 1) {
      left -= history.estimates[turn] ?? 0;
      if (history.isOpen[turn]) continue;
      last = turn;
      if (left <= room - this.#estimateSkills(activeIn(skills, turn))) return turn;
    }
    return last;
  }

  /** Skills that were carried so far, and those of the turns that may be folded now, in order. */
  #skillsSince(state: ReadonlyState): ActiveSkill[] {
    const skills = [...this.#skills];
    for (let turn = this.#folded + 1; turn < state.turn; turn += 1) skills.push(...skillsOf(turn, state));
    return skills;
  }

  #estimateSkills(skills: readonly ActiveSkill[]): number {
    return skills.reduce((total, { tokens }) => total + this.#estimator.ofTokens(tokens), 0);
  }

  #fold(state: ReadonlyState, history: History, upTo: number, skills: readonly ActiveSkill[]): Plan | undefined {
    const from =
      this.#folded === 0 ? Math.max(history.starts[1] as number, behindOpeningAnswers(state)) : this.#recordAt;
    const end = history.starts[upTo + 1];
    if (end === undefined || end <= from) return undefined;
    const record = this.#record.withTurns(this.#folded + 1, upTo, state);
    const tokens = this.#tokensOf(record);
    const fits = tokens <= this.#number('summary_max_tokens');
    const calls = this.#summarize(state, record, this.#inputOf(state, history, upTo), fits);
    if (calls.at(-1)?.outcome !== undefined) return { calls };
    const made = [tokens, ...skills.map((skill) => skill.tokens)].map(
      (size) => ({ kind: 'record', tokens: size }) as const,
    );
    this.#record = record;
    this.#recordTokens = tokens;
    this.#recordAt = from;
    this.#skills = skills;
    this.#folded = upTo;
    const reason = `turns 1 to ${upTo} folded into the state record`;
    return {
      calls,
      edits: [{ from: state.viewAt(from), to: state.viewAt(end - 1), with: made, sticky: true, reason }],
    };
  }

  #tokensOf(record: StateRecord): number {
    const [instructions, judgment] = [this.#number('instruction_max_tokens'), this.#number('judgment_tokens')];
    return this.#settings.record_trim === 'on'
      ? record.trimmedTokens(this.#number('summary_max_tokens'), instructions, judgment)
      : record.tokens(instructions, judgment);
  }

  /** The prior record, the turns to be folded, and what the summarizer is told to do with them. */
  #inputOf(state: ReadonlyState, history: History, upTo: number): number {
    let tokens = this.#recordTokens + this.#number('summarizer_prompt_tokens');
    for (let turn = this.#folded + 1; turn <= upTo; turn += 1) {
      tokens += this.#settings.summarizer_sees === 'raw' ? rawTokens(turn, state) : (history.sent[turn] as number);
    }
    return tokens;
  }

  /** One call, and another one if its report was malformed; the last one's outcome is the fold's. */
  #summarize(state: ReadonlyState, record: StateRecord, input: number, fits: boolean): ExtraCall[] {
    const output = record.instructions(this.#number('instruction_max_tokens')) + this.#number('judgment_tokens');
    const calls: ExtraCall[] = [];
    while (calls.length < attempts) {
      const outcome = this.#outcome(state) ?? (fits ? undefined : 'oversized');
      calls.push({
        purpose: 'summary',
        prefix: 'fresh',
        input,
        output,
        model: this.#settings.summarizer_model as string,
        ...(outcome === undefined ? {} : { outcome }),
        reason: 'state record',
      });
      if (outcome !== 'malformed') break;
    }
    return calls;
  }

  #outcome(state: ReadonlyState): FailedCall | undefined {
    this.#draw ??= drawsOf(state, this.#number('seed'));
    let draw = this.#draw();
    for (const outcome of ['malformed', 'failed', 'canceled', 'stale'] as const) {
      draw -= this.#number(`${outcome}_rate`);
      if (draw < 0) return outcome;
    }
    return undefined;
  }
}

/** The latest activation of each skill, if its turn would be folded; what a later turn activates anew is carried there. */
function activeIn(skills: readonly ActiveSkill[], upTo: number): ActiveSkill[] {
  return skills.filter(
    ({ name, turn }, at) => turn <= upTo && !skills.slice(at + 1).some((later) => later.name === name),
  );
}

function rawTokens(turn: number, state: ReadonlyState): number {
  const { first, end } = state.turnBlocks(turn);
  let tokens = 0;
  for (let id = first; id < end; id += 1) tokens += state.tokens(id);
  return tokens;
}

/** Draws from [0, 1), the same for a session whatever else is replayed: its first turn is part of the seed. */
function drawsOf(state: ReadonlyState, seed: number): () => number {
  const { first, end } = state.turnBlocks(1);
  let hash = seed;
  for (let id = first; id < end; id += 1) hash = (Math.imul(hash, 31) + state.tokens(id)) | 0;
  // Seeds that differ in few bits give first draws that hardly differ.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  const random = xoroshiro128plus(hash ^ (hash >>> 16));
  for (let skipped = 0; skipped < 8; skipped += 1) uniformInt(random, 0, 1);
  return () => uniformInt(random, 0, 0xffff_ffff) / 0x1_0000_0000;
}

/** Turns before the first one are holes. */
function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
