import type { PolicyKind, ReadonlyState } from './policy.ts';

/**
 * What the harness really sent: `full`, with the silent changes of the past that the recorded prompt sizes give away
 * (results cleared, reminders sent once). Recorded compactions are resets of the session and alike in every row.
 */
export const recorded: PolicyKind = {
  name: 'recorded',
  summary: 'What the harness really sent, its own silent edits included, as far as recorded prompt sizes show them.',
  source: 'definition',
  params: {},
  editsInsideTurns: true,
  standsAlone: true,
  create: () => ({ events: ['pre_request', 'post_response'], on: (_, state) => ({ edits: editsOf(state) }) }),
};

function editsOf(state: ReadonlyState) {
  return state.recordedEdits().map(({ from, to, tokens }) => ({
    from: state.viewAt(from),
    to: state.viewAt(to),
    with: [{ kind: 'stub' as const, tokens }],
    sticky: true,
    opaque: true as const,
    reason: 'silent change in the recording',
  }));
}
