import { CtxsimError } from '../errors.ts';
import type { DerivedName } from '../session/index.ts';
import type { BlockId } from './plan.ts';
import type { ReadonlyState } from './policy.ts';

/** Tokens of the record's nine headings; assumed (the seed gives sections, no sizes). */
export const headingTokens = 40;

/** Tokens of a line's bullet with its turn number or status; assumed. */
export const entryTokens = 4;

/** One line of the record: when it came, and what it takes. */
interface Entry {
  readonly at: BlockId;
  tokens: number;
}

/** A skill whose text must stay in the conversation to count as active. */
export interface ActiveSkill {
  readonly name: string;
  readonly turn: number;
  readonly tokens: number;
}

/**
 * What a state record holds of the turns that were folded, as sizes. All of it is verbatim and whole but
 * for the judgment, which a model writes, and the instructions, of which a model selects excerpts.
 */
export class StateRecord {
  #goal = 0;
  #goalTurn = -1;
  /** Tokens of the later prompts: standing instructions are excerpts of them. */
  #laterPrompts = 0;
  #answers = 0;
  #commands: Entry[] = [];
  #writes = new Map<string, Entry>();

  /** The record with the turns `first … last` in it as well. */
  withTurns(first: number, last: number, state: ReadonlyState): StateRecord {
    const next = new StateRecord();
    next.#goal = this.#goal;
    next.#goalTurn = this.#goalTurn;
    next.#laterPrompts = this.#laterPrompts;
    next.#answers = this.#answers;
    next.#commands = [...this.#commands];
    next.#writes = new Map(this.#writes);
    for (let turn = first; turn <= last; turn += 1) next.#add(turn, state);
    return next;
  }

  /** Tokens of the instruction excerpts: never more than the prompts have, nor than the cap allows. */
  instructions(cap: number): number {
    return Math.min(cap, this.#laterPrompts);
  }

  /** Tokens of the whole record. */
  tokens(instructionCap: number, judgment: number): number {
    const lines = [...this.#commands, ...this.#writes.values()].reduce((sum, entry) => sum + entry.tokens, 0);
    return headingTokens + this.instructions(instructionCap) + this.#goal + this.#answers + judgment + lines;
  }

  /** Tokens once the oldest commands and write actions were left out until it fits; more than `limit` where nothing helps. */
  trimmedTokens(limit: number, instructionCap: number, judgment: number): number {
    let tokens = this.tokens(instructionCap, judgment);
    const oldestFirst = [...this.#commands, ...this.#writes.values()].sort((a, b) => a.at - b.at);
    for (const entry of oldestFirst) {
      if (tokens <= limit) break;
      tokens -= entry.tokens;
    }
    return tokens;
  }

  #add(turn: number, state: ReadonlyState): void {
    const { first, end } = state.turnBlocks(turn);
    const commands = new Map<string, Entry>();
    for (let id = first; id < end; id += 1) {
      const { kind, action, callId, target } = state.block(id);
      if (kind === 'prompt') this.#addPrompt(turn, state.tokens(id));
      else if (action === 'ask' && (kind === 'call' || kind === 'result')) this.#answers += state.tokens(id);
      else if (action === 'exec' && kind === 'call') {
        const entry = { at: id, tokens: entryTokens + commandTokens(id, state) };
        this.#commands.push(entry);
        if (callId !== undefined) commands.set(callId, entry);
      } else if (action === 'exec' && kind === 'result') {
        const command = callId === undefined ? undefined : commands.get(callId);
        if (command) command.tokens += keptSize(id, 'completionLine', state);
      } else if ((action === 'edit' || action === 'write') && kind === 'call') {
        const path = target ?? `block ${id}`;
        const tokens = target === undefined ? 0 : keptSize(id, 'target', state);
        this.#writes.set(path, { at: id, tokens: entryTokens + tokens });
      }
    }
  }

  /** The goal is the first prompt, whole, however many blocks it has. */
  #addPrompt(turn: number, tokens: number): void {
    if (this.#goalTurn === -1) this.#goalTurn = turn;
    if (turn === this.#goalTurn) this.#goal += tokens;
    else this.#laterPrompts += tokens;
  }
}

/** Skills that a turn activated: the result, and the text that the harness puts in behind it. */
export function skillsOf(turn: number, state: ReadonlyState): ActiveSkill[] {
  const { first, end } = state.turnBlocks(turn);
  const skills: ActiveSkill[] = [];
  for (let id = first; id < end; id += 1) {
    const { kind, action, target, tool } = state.block(id);
    if (kind !== 'result' || action !== 'skill') continue;
    let tokens = state.tokens(id);
    while (id + 1 < end && state.block(id + 1).kind === 'meta') tokens += state.tokens(++id);
    skills.push({ name: target ?? tool ?? 'skill', turn, tokens });
  }
  return skills;
}

/** The command as it was given; where only its first line was kept, that; where it has no name at all, the whole call. */
function commandTokens(id: BlockId, state: ReadonlyState): number {
  if (state.block(id).target === undefined) return state.tokens(id);
  return state.derivedTokens(id, 'command') ?? keptSize(id, 'target', state);
}

function keptSize(id: BlockId, name: DerivedName, state: ReadonlyState): number {
  const tokens = state.derivedTokens(id, name);
  if (tokens !== undefined) return tokens;
  throw new CtxsimError(
    'size-not-kept',
    `fold needs the size of "${name}" for its state record, which a content-free session did not keep`,
    `Record derived.${name} with the session's blocks, or leave fold out.`,
  );
}
