import { CtxsimError } from '../errors.ts';
import { isSuccessfulCommand } from '../session/index.ts';
import type { BlockId, Edit, Plan } from './plan.ts';
import type { Policy, PolicyKind, ReadonlyState, Settings } from './policy.ts';

/**
 * heph's elision (seed-policies §1.1–1.4): at the start of turn t the results of turns before t − recent_turns become
 * one-line stubs and stay so; inside a turn nothing changes. Prompts, replies and calls are never touched.
 */
export const elide: PolicyKind = {
  name: 'elide',
  summary:
    "At each turn start, tool results older than the last recent_turns finished turns become one-line stubs (heph's elision).",
  source: 'seeds/heph-context.txt; seed-policies §1.1–1.4',
  params: {
    recent_turns: { type: 'integer', default: 0, min: 0, doc: 'finished turns whose results stay whole' },
    min_elide_chars: { type: 'integer', default: 300, min: 0, doc: 'results of at most this many characters stay' },
    min_elide_tokens: {
      type: 'integer',
      default: 60,
      min: 0,
      doc: 'the same in tokens, for results of which no stub size was kept',
    },
    stub_tokens: { type: 'integer', default: 15, min: 1, doc: 'stub size where none was kept, tokens' },
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
  /** By turn, the last block before its first request: what stands up to there is never touched once that turn is oldest. */
  const promptEnds: BlockId[] = [];

  const startTurn = (state: ReadonlyState): Plan => {
    promptEnds[state.turn] = state.viewAt(state.viewLength - 1);
    const edits: Edit[] = [];
    for (; elidedTurns < state.turn - 1 - recentTurns; elidedTurns += 1) {
      const { first, end } = state.turnBlocks(elidedTurns + 1);
      for (let id = first; id < end; id += 1) {
        const tokens = stubFor(id, state, settings);
        if (tokens !== undefined) edits.push(stub(id, tokens, 'result of an earlier turn elided'));
      }
    }
    // The next edit touches the results of the oldest whole turn; everything up to its prompt stands.
    const oldestWhole = Math.max(1, state.turn - recentTurns);
    const stable = promptEnds.find((end, turn) => turn >= oldestWhole && end !== undefined);
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
      edits.push(stub(id, tokens, 'successful command shown as a terse status'));
    }
    return { edits };
  };

  return {
    events: terse ? ['turn_start', 'ingest'] : ['turn_start'],
    on: (event, state) => (event === 'turn_start' ? startTurn(state) : ingest(state)),
  };
}

/** Tokens of the stub if the block is a result that may be stubbed and is long enough, else undefined. */
function stubFor(id: BlockId, state: ReadonlyState, settings: Settings): number | undefined {
  const block = state.block(id);
  if (block.kind !== 'result' || state.positionOf(id) === -1) return undefined;
  // The user's own words, and skills, which must stay in the conversation to count as active.
  if (block.action === 'ask' || block.action === 'skill') return undefined;
  const kept = state.derivedTokens(id, 'stub');
  const tokens = kept ?? (settings.stub_tokens as number);
  const long =
    kept === undefined
      ? state.tokens(id) > (settings.min_elide_tokens as number)
      : ((block.size?.chars ?? 0) > (settings.min_elide_chars as number) || (block.images ?? 0) > 0) &&
        state.tokens(id) > 2 * tokens;
  return long ? tokens : undefined;
}

function stub(id: BlockId, tokens: number, reason: string): Edit {
  return { from: id, to: id, with: [{ kind: 'stub', tokens, of: id }], sticky: true, reason };
}
