import { createHash } from 'node:crypto';
import { CtxsimError } from '../../errors.ts';
import { listedProviders, type PricePeriod, type PriceRows, pricePackage, rowsOfPackage } from './adapter.ts';
import { limitsOf } from './limits.ts';
import { normalizeModel, spellings } from './normalize.ts';
import { overlayDate, overlayRows } from './overlay.ts';
import { type ModelLimits, type PriceBook, type RateCard, standardService } from './rates.ts';
import { priceSnapshot } from './snapshot.ts';
import { type FoundRow, findRow, launchDay, layOver, periodOn, pricedModels, remarkOf, replaceModel } from './table.ts';
import { unknownModel } from './unknown-model.ts';

/** What a price book may be built from. */
export interface PriceBookOptions {
  /** Parsed content of `--prices FILE`; `file` is named in errors. */
  readonly overrides?: { readonly file: string; readonly content: unknown } | undefined;
  /** Price everything at this day (UTC, `YYYY-MM-DD`), whatever the session's date. */
  readonly asOf?: string | undefined;
  /** Give a model without a price a card that says so, instead of refusing it. */
  readonly allowUnpriced?: boolean | undefined;
}

/**
 * Loads the price snapshot. The price package is imported here and not before, because it takes 0.15 s to load.
 * @throws CtxsimError `bad-price-file` or `bad-date`.
 */
export async function loadPriceBook(options: PriceBookOptions = {}): Promise<PriceBook> {
  const { findProvider } = await import('@pydantic/genai-prices');
  const providers = listedProviders.flatMap(({ id }) => findProvider({ providerId: id }) ?? []);
  const rows = layOver(rowsOfPackage(providers), overlayRows);
  const asOf = options.asOf === undefined ? undefined : checkedDay(options.asOf);
  const overrides = options.overrides && (await readOverrides(options.overrides, rows));
  const listed = createBook({ rows, limits: new Map(), id: '', asOf: undefined, allowUnpriced: false });
  return createBook({
    rows: overrides?.rows ?? rows,
    limits: overrides?.limits ?? new Map(),
    id: bookId(digestOf(priceSnapshot(listed)), overrides?.digest, asOf),
    asOf,
    allowUnpriced: options.allowUnpriced === true,
  });
}

interface BookData {
  readonly rows: PriceRows;
  /** Limits from the override file, by canonical name. */
  readonly limits: ReadonlyMap<string, ModelLimits>;
  readonly id: string;
  readonly asOf: string | undefined;
  readonly allowUnpriced: boolean;
}

function createBook({ rows, limits, id, asOf, allowUnpriced }: BookData): PriceBook {
  const cards = new Map<string, RateCard>();
  const found = new Map<string, FoundRow | undefined>();
  let models: readonly string[] | undefined;
  const find = (model: string): FoundRow | undefined => {
    if (!found.has(model)) found.set(model, findRow(rows, model));
    return found.get(model);
  };
  const cardFor = (priced: FoundRow, period: PricePeriod): RateCard => {
    const cardId = `${priced.model}@${period.from ?? launchDay(priced) ?? 'launch'}`;
    const known = cards.get(cardId) ?? cardOf(cardId, priced, period);
    cards.set(cardId, known);
    return known;
  };
  const book: PriceBook = {
    id,
    ...(asOf === undefined ? {} : { asOfMs: Date.parse(asOf) }),
    service: standardService,
    card(model, timeMs) {
      const priced = find(model);
      if (priced) return cardFor(priced, periodOn(priced, dayOf(priced, asOf ?? dayAt(timeMs))));
      if (allowUnpriced) return unpricedCard(model);
      throw unknownModel(model, book.models());
    },
    history(model) {
      const priced = find(model);
      if (priced === undefined) throw unknownModel(model, book.models());
      return priced.row.periods.map((period) => cardFor(priced, period));
    },
    limits(model) {
      const name = find(model)?.model ?? spellings(model).at(-1) ?? model;
      return limits.get(name) ?? limitsOf(name, find(model)?.row, `${pricePackage.name} ${pricePackage.version}`);
    },
    models() {
      models ??= pricedModels(rows);
      return models;
    },
  };
  return book;
}

/** What a reader of a bill should know where prices go by the hour. */
const hoursRemark = 'prices go by the hour of each request; without times the ordinary ones hold';

function cardOf(id: string, found: FoundRow, period: PricePeriod): RateCard {
  const { tiers, hours, chargesWrites, source } = period;
  const remark = remarkOf(found, period) ?? (hours ? hoursRemark : undefined);
  return {
    id,
    model: found.model,
    provider: found.row.provider,
    tiers,
    ...(hours ? { hours } : {}),
    chargesWrites,
    source: remark === undefined ? source : `${source}; ${remark}`,
    ...(remark === undefined ? {} : { notes: [`${found.model}: ${remark}`] }),
  };
}

/** The card of a model that nobody lists: it has a name and no price. */
function unpricedCard(id: string): RateCard {
  const model = normalizeModel(id);
  const rates = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
  return {
    id: `${model}@unpriced`,
    model,
    provider: 'custom',
    tiers: [{ abovePromptTokens: 0, rates }],
    chargesWrites: false,
    source: 'no price is known',
    unpriced: true,
  };
}

/** The day of a time (UTC), undefined where the time is unknown or impossible. */
function dayAt(timeMs: number | undefined): string | undefined {
  const date = new Date(timeMs ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}

/** The day whose rates apply: the one asked for, or the snapshot's where there is none or the model is newer. */
function dayOf(found: FoundRow, day: string | undefined): string {
  const launch = launchDay(found);
  return day === undefined || (launch !== undefined && day < launch) ? overlayDate : day;
}

function checkedDay(day: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) {
    throw new CtxsimError('bad-date', `"${day}" is not a date`, 'Give --as-of as YYYY-MM-DD, for example 2026-11-30.');
  }
  return day;
}

interface Overrides {
  readonly rows: PriceRows;
  readonly limits: Map<string, ModelLimits>;
  readonly digest: string;
}

async function readOverrides(
  { file, content }: NonNullable<PriceBookOptions['overrides']>,
  known: PriceRows,
): Promise<Overrides> {
  const { limitsOfPriceFile, parsePriceFile, rowOfPriceFile } = await import('./override-file.ts');
  const parsed = parsePriceFile(content, file);
  const digest = digestOf(parsed);
  const source = `price file (${digest})`;
  const rows = new Map(known);
  const limits = new Map<string, ModelLimits>();
  for (const [id, price] of Object.entries(parsed.models)) {
    const before = findRow(known, id);
    replaceModel(rows, id, rowOfPriceFile({ file, model: id, source }, price, before?.row.provider));
    const stated = limitsOfPriceFile(price, source);
    if (stated) limits.set(before?.model ?? spellings(id)[0] ?? id, stated);
  }
  return { rows, limits, digest };
}

function digestOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, 8);
}

/** JSON with sorted keys, so that the order in the file does not change the id. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** Versions say where prices come from, the digest of the snapshot says whether two books hold the same ones. */
function bookId(snapshot: string, overrides: string | undefined, asOf: string | undefined): string {
  const parts = [`${pricePackage.name}@${pricePackage.version}`, `ctxsim@${overlayDate}`, snapshot];
  if (overrides !== undefined) parts.push(`overrides:${overrides}`);
  if (asOf !== undefined) parts.push(`as-of:${asOf}`);
  return parts.join('+');
}
