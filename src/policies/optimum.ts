import { elisionParams, elisionsOf, PromptEnds } from './parts/elision.ts';
import type { BlockId, Plan } from './plan.ts';
import type { Policy, PolicyKind, ReadonlyState, Schedule, Settings } from './policy.ts';

/**
 * The best that elision without a window can do: at some turn starts, chosen with knowledge of everything that follows, all
 * results of earlier turns become stubs; at the others nothing changes. Who replays it chooses them.
 */
export const optimum: PolicyKind = {
  name: 'optimum',
  summary:
    'The cheapest schedule of elisions, knowing the future: a yardstick, no setting. At some turn starts it does what elide does, at the others nothing. It schedules elisions only, so another policy may beat it.',
  source: 'definition',
  params: elisionParams,
  standsAlone: true,
  create: (settings) => atTurnStarts(settings, []),
  createScheduled: (settings, acts) =>
    acts === 'every request' ? beforeRequests(settings) : atTurnStarts(settings, acts),
};

function atTurnStarts(settings: Settings, acts: Exclude<Schedule, string>): Policy {
  const promptEnds = new PromptEnds();
  /** The first turn whose results are whole. */
  let whole = 1;

  const elide = (state: ReadonlyState) => {
    const first = state.turnBlocks(whole).first;
    whole = state.turn;
    return elisionsOf(first, state.turnBlocks(whole).first, state, settings);
  };

  return {
    events: ['turn_start'],
    on: (_, state): Plan => {
      promptEnds.note(state);
      const edits = acts.includes(state.turn) ? elide(state) : [];
      const willAct = acts.some((turn) => turn > state.turn);
      return { edits, stable: (willAct ? promptEnds.stableFrom(whole) : undefined) ?? -1 };
    },
  };
}

/** Cuts every result as soon as one request has carried it: no other moment leaves less in view. */
function beforeRequests(settings: Settings): Policy {
  let first: BlockId = -1;
  return {
    events: ['pre_request'],
    on: (_, state): Plan => {
      if (state.turn === 0) return {};
      const end = Math.max(state.ingestFirst, state.turnBlocks(state.turn).first);
      const from = first === -1 ? state.turnBlocks(1).first : first;
      first = Math.max(from, end);
      return { edits: elisionsOf(from, end, state, settings) };
    },
  };
}
