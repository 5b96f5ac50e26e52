import type { PricePeriod, PriceRow, PriceRows } from './adapter.ts';
import { spellings } from './normalize.ts';
import { launches, remarks } from './overlay.ts';
import type { OverlayRow } from './overlay-row.ts';

/** A model that was found: its canonical name and its row. */
export interface FoundRow {
  readonly model: string;
  readonly row: PriceRow;
}

/** Lays our rows over the package's: the same model and first day is replaced, any other day is added. */
export function layOver(rows: PriceRows, overlay: readonly OverlayRow[]): PriceRows {
  const result = new Map(rows);
  for (const ours of overlay) {
    const before = result.get(ours.model);
    const kept = (before?.periods ?? []).filter((period) => period.from !== ours.from);
    const periods = [...kept, periodOf(ours)].sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1));
    const window = before?.window;
    replaceModel(result, ours.model, {
      provider: ours.provider,
      periods,
      ...(window === undefined ? {} : { window }),
    });
  }
  return result;
}

/** Gives a model another row, in every spelling that means this model; its neighbours in the same old row keep theirs. */
export function replaceModel(rows: PriceRows, id: string, row: PriceRow): void {
  const before = findRow(rows, id);
  const names = before ? [...rows.keys()].filter((name) => rows.get(name) === before.row) : [];
  const same = names.filter((name) => findRow(rows, name)?.model === before?.model);
  for (const name of [...same, spellings(id)[0] ?? id]) rows.set(name, row);
}

function periodOf(ours: OverlayRow): PricePeriod {
  const { from, tiers, hours, chargesWrites, source, remark, asOf } = ours;
  return { from, tiers, hours, chargesWrites, source: `ctxsim overlay: ${source} (${asOf})`, remark };
}

/** Exact after normalisation: the first spelling that the table knows decides, even when it has no price there. */
export function findRow(rows: PriceRows, id: string): FoundRow | undefined {
  const tried = spellings(id);
  const at = tried.findIndex((name) => rows.has(name));
  const row = at < 0 ? undefined : rows.get(tried[at] ?? '');
  if (row === undefined) return undefined;
  // The canonical name is the shortest spelling that still means the same row.
  const model = tried.slice(at).findLast((name) => rows.get(name) === row);
  return model === undefined ? undefined : { model, row };
}

/** Every canonical model id with a price, sorted. */
export function pricedModels(rows: PriceRows): string[] {
  const models = new Set<string>();
  for (const name of rows.keys()) {
    const found = findRow(rows, name);
    if (found) models.add(found.model);
  }
  return [...models].sort();
}

/** First day (UTC) on which the model could be called, where it is known. */
export function launchDay(found: FoundRow): string | undefined {
  return found.row.periods[0]?.from ?? launches.find(({ model }) => model === found.model)?.day;
}

/** The rates in force on a day; the earliest known ones where even the snapshot's date lies before all of them. */
export function periodOn(found: FoundRow, day: string): PricePeriod {
  const { periods } = found.row;
  const inForce = periods.findLast(({ from }) => from === undefined || from <= day) ?? periods[0];
  if (inForce === undefined) throw new Error(`price row of ${found.model} has no rates`);
  return inForce;
}

/** What a reader of the bill should know of a period, if there is anything. */
export function remarkOf(found: FoundRow, period: PricePeriod): string | undefined {
  return remarks.find(({ model, from }) => model === found.model && from === period.from)?.remark ?? period.remark;
}
