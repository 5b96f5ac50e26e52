import type { ConditionalPrice, MatchLogic, ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';
import { ordinaryAndHours } from './hours.ts';
import { spellings } from './normalize.ts';
import { boundaryFixes } from './overlay.ts';
import { peakDays } from './overlay-deepseek.ts';
import type { PricedHours, Rates, RateTier } from './rates.ts';

/** Version and publication day of the price package; a test holds it to package.json. */
export const pricePackage = { name: 'genai-prices', version: '0.1.8', date: '2026-09-23' } as const;

/**
 * Providers whose own list prices are read, in order of precedence, and the models that each may price. Resellers are
 * left out: the same model costs something else there, and an id does not say who served it.
 */
export const listedProviders: readonly { readonly id: string; readonly models: RegExp }[] = [
  { id: 'anthropic', models: /^claude-/ },
  { id: 'openai', models: /^/ },
  { id: 'google', models: /^gemini-/ },
  { id: 'deepseek', models: /^deepseek-/ },
  { id: 'x-ai', models: /^grok-/ },
  { id: 'moonshotai', models: /^(?:kimi|moonshot)-/ },
  { id: 'mistral', models: /^/ },
  { id: 'zai', models: /^glm-/ },
  { id: 'minimax', models: /^/ },
  { id: 'cohere', models: /^/ },
  { id: 'cursor', models: /^composer-/ },
];

/** Rows whose own comment says that the price is a reseller's or a guess. */
const secondHand = /openrouter|open router|can't find/i;

/** Prefixes that stop in the middle of a date. */
const unfinished = /-(?:0|20\d{0,2})$|^ft:/;

/** Rates of one model from one day on. */
export interface PricePeriod {
  /** First day (UTC, `YYYY-MM-DD`); undefined where the source names none. */
  readonly from: string | undefined;
  readonly tiers: readonly RateTier[];
  /** Hours at which other rates hold than those of `tiers`. */
  readonly hours?: readonly PricedHours[] | undefined;
  readonly chargesWrites: boolean;
  readonly source: string;
  /** What a reader of the bill should know. */
  readonly remark?: string | undefined;
}

/** Everything known of the price of one model. */
export interface PriceRow {
  readonly provider: string;
  /** Ascending by day, the undated one first; never empty. */
  readonly periods: readonly PricePeriod[];
  readonly window?: number;
}

/** Rows by every exact spelling of a model id; undefined where the source has the name but no usable price. */
export type PriceRows = Map<string, PriceRow | undefined>;

/** Turns the package's data into rows. */
export function rowsOfPackage(providers: readonly Provider[]): PriceRows {
  const byName: PriceRows = new Map();
  for (const { id, models } of listedProviders) {
    const provider = providers.find((candidate) => candidate.id === id);
    const listed = (provider?.models ?? [])
      .filter((model) => !isFreePlan(model))
      .map((model) => ({ names: namesOf(model), row: rowOf(id, model) }))
      .filter(({ names }) => models.test(names.exact[0] ?? ''));
    // Exact names of all models come before the spellings that are derived from them.
    for (const { names, row } of listed) for (const name of names.exact) claim(byName, name, row);
    for (const { names, row } of listed) for (const name of names.derived) claim(byName, name, row);
  }
  return byName;
}

/** A free plan has no price of its own: its id is read as the model's, whose list price is what the tokens are worth. */
function isFreePlan(model: ModelInfo): boolean {
  return model.id.endsWith(':free');
}

/** The first to name a model keeps it, priced or not: a name that has no price must not get a neighbour's. */
function claim(byName: PriceRows, name: string, row: PriceRow | undefined): void {
  if (!byName.has(name)) byName.set(name, row);
}

function namesOf(model: ModelInfo): { exact: string[]; derived: string[] } {
  const leaves = leavesOf(model.match);
  const exact = [model.id, ...leaves.exact].map((name) => spellings(name)[0] ?? name);
  const derived = [model.id, ...leaves.exact, ...leaves.prefixes].flatMap((name) => [...spellings(name)]);
  return { exact, derived };
}

/** Names that the match logic spells out. A prefix counts as the name it spells, never as a prefix. */
function leavesOf(match: MatchLogic): { exact: string[]; prefixes: string[] } {
  if ('equals' in match) return { exact: [match.equals], prefixes: [] };
  if ('starts_with' in match) {
    const isName = /[a-z0-9]$/i.test(match.starts_with) && !unfinished.test(match.starts_with);
    return { exact: [], prefixes: isName ? [match.starts_with] : [] };
  }
  const parts = 'or' in match ? match.or.map(leavesOf) : [];
  return { exact: parts.flatMap((part) => part.exact), prefixes: parts.flatMap((part) => part.prefixes) };
}

function rowOf(provider: string, model: ModelInfo): PriceRow | undefined {
  if (secondHand.test(model.price_comments ?? '')) return undefined;
  const periods = periodsOf(provider, model);
  if (periods.length === 0) return undefined;
  const window = model.context_window;
  return window === undefined ? { provider, periods } : { provider, periods, window };
}

/**
 * Periods since the price was last unknown: a price that became unknown must not live on as the one before it. Hours of the day
 * are those of the newest period: the package cannot give them a first day, and providers have them since their last change.
 */
function periodsOf(provider: string, model: ModelInfo): PricePeriod[] {
  const listed: readonly ConditionalPrice[] = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  const dated = listed.flatMap(({ constraint, prices }) =>
    constraint?.type === 'time_of_date' ? [] : [{ from: constraint?.start_date, prices }],
  );
  let periods: PricePeriod[] = [];
  for (const { from, prices } of dated.sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))) {
    const tiers = tiersOf(provider, prices);
    if (tiers === undefined) periods = [];
    else
      periods.push({
        from,
        tiers,
        chargesWrites: prices.cache_write_mtok !== undefined,
        source: `${pricePackage.name} ${pricePackage.version} (${pricePackage.date})`,
      });
  }
  const hours = hoursOf(provider, listed);
  const newest = periods.pop();
  if (!newest) return [];
  return [...periods, hours.length === 0 ? newest : { ...newest, ...withHours(model.id, newest, hours) }];
}

function withHours(model: string, { tiers }: PricePeriod, listed: readonly PricedHours[]) {
  const { hours, ...ordinary } = ordinaryAndHours(tiers, listed);
  const days = model.startsWith('deepseek-v4') ? peakDays : {};
  return { ...ordinary, hours: hours.map((each) => ({ ...each, ...days })) };
}

function hoursOf(provider: string, listed: readonly ConditionalPrice[]): PricedHours[] {
  return listed.flatMap(({ constraint, prices }) => {
    const tiers = constraint?.type === 'time_of_date' ? tiersOf(provider, prices) : undefined;
    if (constraint?.type !== 'time_of_date' || !tiers) return [];
    return [{ from: minutesOf(constraint.start_time), to: minutesOf(constraint.end_time), tiers }];
  });
}

/** Minutes after midnight of `01:30:00Z`. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map((part) => Number.parseInt(part, 10));
  return 60 * hours + minutes;
}

/** Undefined where the row has no text price, or only zeros: such a row is unknown, not free. */
function tiersOf(provider: string, prices: ModelPrice): RateTier[] | undefined {
  const starts = new Set([0]);
  for (const key of pricedKeys) {
    const price = prices[key];
    if (typeof price === 'object') for (const { start } of price.tiers) starts.add(start);
  }
  const tiers: RateTier[] = [];
  for (const start of [...starts].sort((a, b) => a - b)) {
    const rates = ratesAt(provider, prices, start);
    if (rates === undefined) return undefined;
    tiers.push({ abovePromptTokens: boundary(provider, start), rates });
  }
  return tiers;
}

const pricedKeys = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'cache_write_1h_mtok', 'output_mtok'] as const;

function ratesAt(provider: string, prices: ModelPrice, start: number): Rates | undefined {
  const at = (key: (typeof pricedKeys)[number]) => priceAt(prices[key], start);
  const fresh = at('input_mtok');
  const output = at('output_mtok');
  if (!fresh || !output) return undefined;
  const cacheWrite5m = at('cache_write_mtok') ?? fresh;
  // Anthropic: a one-hour write costs twice the input. Nobody else sells one by this name.
  const otherwise1h = provider === 'anthropic' && prices.cache_write_mtok !== undefined ? 2 * fresh : cacheWrite5m;
  return {
    fresh,
    // Without a read rate a cached token costs what any other does.
    cacheRead: at('cache_read_mtok') ?? fresh,
    cacheWrite5m,
    cacheWrite1h: at('cache_write_1h_mtok') ?? otherwise1h,
    output,
  };
}

function priceAt(price: ModelPrice[string], start: number): number | undefined {
  if (typeof price !== 'object') return price;
  let found = price.base;
  for (const tier of [...price.tiers].sort((a, b) => a.start - b.start)) if (start >= tier.start) found = tier.price;
  return found;
}

function boundary(provider: string, start: number): number {
  return boundaryFixes.find((fix) => fix.provider === provider && fix.start === start)?.above ?? start;
}
