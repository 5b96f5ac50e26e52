import type { ParamSpec, ReadonlyState, Settings } from '../policy.ts';
import type { History } from './history.ts';
import { historyTokens } from './opening.ts';
import { windowTables } from './windows.ts';

/** When a policy acts: what it measures, and the level. */
export const triggerParams = {
  measure: {
    type: 'choice',
    default: 'next',
    choices: ['next', 'last', 'raw', 'history', 'uses', 'messages', 'events', 'turns'],
    doc: 'what is compared: tokens of the coming request, of the last one with its reply as reported, of the coming one unedited, or behind the opening; or counts of tool results, messages, events, turns that are left',
  },
  trigger: { type: 'integer', default: 0, min: 0, doc: 'level; 0: none given' },
  trigger_fraction: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    doc: 'level as a share of the window; 0: none given',
  },
  trigger_reserve: {
    type: 'integer',
    default: -1,
    min: -1,
    doc: 'level as the window less so many tokens; -1: none given',
  },
  windows: {
    type: 'choice',
    default: 'model',
    choices: ['model', ...Object.keys(windowTables)],
    doc: 'the window of a model: as it is sold, or as the table of a system has it',
  },
  combine: {
    type: 'choice',
    default: 'min',
    choices: ['min', 'max', 'sum', 'share-less-reserve', 'share-of-rest', 'by-window'],
    doc: 'of several levels: the lowest, the highest, their sum, the share less the reserve, the share of what the reserve leaves, or the share up to a window of 200,000 and the reserve above',
  },
  strict: { type: 'choice', default: 'no', choices: ['no', 'yes'], doc: 'yes: only above the level, not at it' },
} as const satisfies Record<string, ParamSpec>;

/** Windows up to this size are small for systems that tell two rules apart (Crush @37f36e93, internal/agent/agent.go). */
const smallWindow = 200_000;

/** The level of a trigger, in what it measures; 0 where none was given, so that it always fires. */
export function levelOf(settings: Settings, state: Pick<ReadonlyState, 'window'>): number {
  const fixed = settings.trigger as number;
  const share = Math.floor((settings.trigger_fraction as number) * state.window + 1e-6);
  const reserve = settings.trigger_reserve as number;
  const rest = state.window - reserve;
  if (settings.combine === 'share-less-reserve') return share - reserve;
  if (settings.combine === 'share-of-rest') return Math.floor((settings.trigger_fraction as number) * rest + 1e-6);
  if (settings.combine === 'by-window') return state.window > smallWindow ? rest : share;
  const given = [...(fixed > 0 ? [fixed] : []), ...(share > 0 ? [share] : []), ...(reserve >= 0 ? [rest] : [])];
  if (given.length === 0) return 0;
  if (settings.combine === 'sum') return given.reduce((sum, level) => sum + level, 0);
  return settings.combine === 'max' ? Math.max(...given) : Math.min(...given);
}

/** Whether any level was given: then that decides when a system acts, and nothing that is kept free besides. */
export function hasLevel({ trigger, trigger_fraction: share, trigger_reserve: reserve }: Settings): boolean {
  return (trigger as number) > 0 || (share as number) > 0 || (reserve as number) >= 0;
}

/** The window of a model by the settings' own table; undefined where they go by what the model is sold with. */
export function tableWindow(settings: Settings, model: string): number | undefined {
  return windowTables[settings.windows as string]?.(model);
}

/** What of the history a policy has already removed or cut. */
export interface Done {
  readonly tokens: number;
  readonly results: number;
  readonly messages: number;
  readonly events: number;
  readonly turns: number;
}

/** Compares a measure with its level. A reported usage is gone once an edit has made it untrue, and then measures nothing. */
export class Trigger {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  isReached(state: ReadonlyState, history: History, done: Done): boolean {
    const level = levelOf(this.#settings, state);
    if (level === 0) return true;
    const measured = this.#measure(state, history, done);
    return this.#settings.strict === 'yes' ? measured > level : measured >= level;
  }

  #measure(state: ReadonlyState, history: History, done: Done): number {
    switch (this.#settings.measure) {
      case 'last':
        return totalOf(state.lastUsage);
      case 'raw':
        return state.nextPrompt + done.tokens;
      case 'history':
        return historyTokens(state);
      case 'uses':
        return history.results.length - done.results;
      case 'messages':
        return history.messages.length - done.messages;
      case 'events':
        return history.events - done.events;
      case 'turns':
        return state.turn - done.turns;
      default:
        return state.nextPrompt;
    }
  }
}

function totalOf(usage: ReadonlyState['lastUsage']): number {
  return usage ? usage.fresh + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h + usage.output : 0;
}
