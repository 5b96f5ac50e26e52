import type { PolicySpec } from '../policies/index.ts';
import { assumedWindow, type LaneModel, membersOf } from '../replay/index.ts';
import { formatCount } from '../units.ts';

/**
 * The windows that decide when policies act, model by model, tokens: the one that the user named, else the one that the model is
 * sold with and those that rows with a table of their own take it to have.
 */
export function windowsOf(models: readonly LaneModel[], rows: readonly PolicySpec[], given?: number): string[] {
  const policies = rows
    .filter(({ kind }) => kind.usesWindow)
    .map(({ kind, settings, label }) => ({ label, members: membersOf(kind.create(settings)) }));
  return models.map(({ name, limits }) => {
    const sold = given ?? limits?.window;
    const own = policies.flatMap(({ label, members }) => {
      const window = given ?? assumedWindow(members, name);
      return window === undefined || window === sold ? [] : [`${formatCount(window)} for ${label}`];
    });
    return [`${name} ${sold === undefined ? 'unknown' : formatCount(sold)}`, ...own].join(', ');
  });
}
