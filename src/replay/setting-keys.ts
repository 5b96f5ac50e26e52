import { type CacheRules, settingReaches } from '../providers/provider.ts';
import type { RequestSettings, SettingName } from '../session/index.ts';
import type { Timeline } from './timeline.ts';
import type { View } from './view.ts';

/** Tells the view what besides its words the entries of a lane are known by, request by request. */
export class SettingKeys {
  readonly #timeline: Timeline;
  readonly #keys = new Map<string, number>();
  /** By level, the key under which the lane began: what others keep warm is known by those. */
  readonly #begun: number[] = [];
  /** First position that is known by another key than at the beginning. */
  changedFrom = Number.POSITIVE_INFINITY;
  #settings: RequestSettings | undefined;
  #rules: CacheRules | undefined;
  #systemEnd = -1;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Before request `index`: `systemEnd` is the last position of its system part. */
  apply(view: View, index: number, rules: CacheRules, systemEnd: number): void {
    const settings = this.#timeline.requests.settings?.[index];
    if (!settings || (settings === this.#settings && rules === this.#rules && systemEnd === this.#systemEnd)) return;
    this.#settings = settings;
    this.#rules = rules;
    this.#systemEnd = systemEnd;
    const positions = { all: 0, behindTools: this.#toolsEnd(view) + 1, messages: systemEnd + 1 };
    this.changedFrom = Number.POSITIVE_INFINITY;
    settingReaches.forEach((reach, level) => {
      const names = Object.keys(rules.settings ?? {}) as SettingName[];
      const values = names.flatMap((name) =>
        rules.settings?.[name] === reach && settings[name] !== undefined ? [[name, settings[name]]] : [],
      );
      const key = values.length === 0 ? 0 : this.#keyOf(JSON.stringify([reach, values]));
      this.#begun[level] ??= key;
      if (key !== this.#begun[level]) this.changedFrom = Math.min(this.changedFrom, positions[reach]);
      view.know(level, positions[reach], key);
    });
  }

  #keyOf(text: string): number {
    const key = this.#keys.get(text) ?? -1 - this.#keys.size;
    this.#keys.set(text, key);
    return key;
  }

  /** Last position of the tools that the prompt begins with; -1 where they do not stand apart. */
  #toolsEnd(view: View): number {
    const { blocks } = this.#timeline.session;
    let end = -1;
    while (end + 1 < view.length && blocks[view.ids[end + 1] as number]?.kind === 'tools') end += 1;
    return end;
  }
}
