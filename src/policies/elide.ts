import { CtxsimError } from '../errors.ts';
import { isSuccessfulCommand } from '../session/index.ts';
import { elision, elisionParams, elisionsOf, PromptEnds } from './parts/elision.ts';
import type { Edit, Plan } from './plan.ts';
import type { Policy, PolicyKind, ReadonlyState, Settings } from './policy.ts';

/**
 * heph's elision: at the start of turn t the results of turns before t − recent_turns become
 * one-line stubs and stay so; inside a turn nothing changes. Prompts, replies and calls are never touched.
 */
export const elide: PolicyKind = {
  name: 'elide',
  summary:
    "At each turn start, tool results older than the last recent_turns finished turns become one-line stubs (heph's elision).",
  source: "heph's documentation of the [context] table",
  params: {
    recent_turns: { type: 'integer', default: 0, min: 0, doc: 'finished turns whose results stay whole' },
    ...elisionParams,
    terse_success: {
      type: 'choice',
      default: 'off',
      choices: ['off', 'on'],
      doc: 'on: long output of a successful command is a terse status from its first appearance',
    },
  },
  create: (settings) => createElide(settings),
};

function createElide(settings: Settings): Policy {
  const recentTurns = settings.recent_turns as number;
  const terse = settings.terse_success === 'on';
  let elidedTurns = 0;
  const promptEnds = new PromptEnds();

  const startTurn = (state: ReadonlyState): Plan => {
    promptEnds.note(state);
    const edits: Edit[] = [];
    for (; elidedTurns < state.turn - 1 - recentTurns; elidedTurns += 1) {
      const { first, end } = state.turnBlocks(elidedTurns + 1);
      edits.push(...elisionsOf(first, end, state, settings));
    }
    // The next edit touches the results of the oldest whole turn; everything up to its prompt stands.
    const stable = promptEnds.stableFrom(Math.max(1, state.turn - recentTurns));
    return stable === undefined ? { edits } : { edits, stable };
  };

  const ingest = (state: ReadonlyState): Plan => {
    const edits: Edit[] = [];
    for (let id = state.ingestFirst; id < state.ingestEnd; id += 1) {
      const block = state.block(id);
      // The result that an interrupted turn left is new and of a finished turn: it has its stub already.
      if (state.positionOf(id) === -1) continue;
      if (!isSuccessfulCommand(block) || (block.size?.chars ?? 0) <= (settings.min_elide_chars as number)) continue;
      const tokens = state.derivedTokens(id, 'terse');
      if (tokens === undefined) {
        throw new CtxsimError(
          'size-not-kept',
          'elide:terse_success=on needs the size of a terse status, which a content-free session did not keep',
          'Record derived.terse for results of commands, or leave terse_success off.',
        );
      }
      edits.push(elision(id, tokens, 'successful command shown as a terse status'));
    }
    return { edits };
  };

  return {
    events: terse ? ['turn_start', 'ingest'] : ['turn_start'],
    on: (event, state) => (event === 'turn_start' ? startTurn(state) : ingest(state)),
  };
}
