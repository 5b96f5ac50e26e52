import type { Preset } from './policy.ts';

/** Named settings of real systems. A new one is one entry here. */
export const presets: readonly Preset[] = [];
