import type { ParamSpec, PolicyEvent, ReadonlyState, Settings } from '../policy.ts';

/** When a policy looks whether to act, and how much has to be gained. */
export const advanceParams = {
  when: {
    type: 'choice',
    default: 'request',
    choices: ['request', 'turn-start', 'turn-end', 'cold'],
    doc: 'before each request, at a turn start, after a turn, or only after a pause that the cache did not survive',
  },
  idle_seconds: {
    type: 'integer',
    default: 0,
    min: 0,
    doc: 'for when=cold: the pause that counts; 0: the lifetime of the cache entry',
  },
  min_gain: { type: 'integer', default: 0, min: 0, doc: 'tokens that an edit must remove, else it waits' },
  batch: {
    type: 'choice',
    default: 'fixed',
    choices: ['fixed', 'best'],
    doc: 'best: min_gain is the batch that costs least at the prices of the model',
  },
} as const satisfies Record<string, ParamSpec>;

/** The events that a policy needs to look when it wants to. */
export function eventsOf(settings: Settings): PolicyEvent[] {
  if (settings.when === 'turn-start') return ['turn_start'];
  if (settings.when === 'turn-end') return ['turn_end'];
  const waitsForExpiry = settings.when === 'cold' && settings.idle_seconds === 0;
  return waitsForExpiry ? ['idle_deadline', 'pre_request'] : ['pre_request'];
}

/** Says at an event whether the time has come. */
export class Moment {
  readonly #settings: Settings;
  #expired = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  hasCome(event: PolicyEvent, state: ReadonlyState): boolean {
    if (this.#settings.when !== 'cold') return true;
    const idleMilliseconds = (this.#settings.idle_seconds as number) * 1000;
    if (idleMilliseconds > 0) return state.idle >= idleMilliseconds;
    const expired = this.#expired;
    this.#expired = event === 'idle_deadline';
    return expired && event !== 'idle_deadline';
  }
}

/**
 * The batch that costs least when results are stubbed as they come: M* = √(2·b·P·g ÷ a), with a = read, b = write − read,
 * P the tokens that every edit writes again and g the growth per request (the cache warm).
 */
export function bestBatch(rewritten: number, growth: number, { read, write }: ReadonlyState['ratios']): number {
  return Math.sqrt((2 * Math.max(0, write - read) * Math.max(0, rewritten) * growth) / read);
}
