import type { Preset } from './policy.ts';

/** Named settings of real systems. A new one is one entry here. */
export const presets: readonly Preset[] = [
  {
    name: 'heph',
    policy: 'elide+fold',
    summary:
      'Old tool results become stubs at each turn start; a history above high water is folded into a state record.',
    origin: 'heph, as of its documentation of the [context] table',
    date: '2026-11',
    evidence: 'documentation',
  },
];
