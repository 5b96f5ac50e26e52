import { exitCodes } from '../../errors.ts';
import type { PolicyKind, Setting, Settings } from '../../policies/policy.ts';
import { unknownNameOfMany } from '../../registry.ts';
import { listTable, names, numbers, type PagePart, pageText, tableOf } from '../../text/index.ts';
import { unknown } from '../../units.ts';
import type { Io } from '../io.ts';

/** Each list is an array of plain records; the first key is the name. */
type Listing = readonly Readonly<Record<string, unknown>>[];

const lists: Readonly<Record<string, (name: string | undefined) => Promise<Listing>>> = {
  policies: listPolicies,
  models: listModels,
  providers: listProviders,
  formats: listFormats,
};

/** `ctxsim list WHAT [NAME]`. */
export async function list(
  io: Io,
  what: string,
  name: string | undefined,
  { format }: { format: string },
): Promise<number> {
  const all = (await lists[what]?.(name)) ?? [];
  const chosen = name === undefined ? all : all.filter((entry) => entry.name === name || entry.id === name);
  if (chosen.length === 0)
    throw unknownNameOfMany(
      `entry of "list ${what}"`,
      name ?? '',
      all.map((entry) => String(entry.name)),
      `ctxsim list ${what}`,
    );
  if (format === 'json') io.out(`${JSON.stringify(chosen, null, 2)}\n`);
  else if (format === 'md') io.out(markdownTable(chosen));
  else io.out(pageText([name === undefined ? shortParts(chosen) : chosen.flatMap(longLines)], io));
  return exitCodes.done;
}

/** The plain values of a list as a Markdown table; what has parts of its own is in the JSON. */
function markdownTable(entries: Listing): string {
  const [first = {}] = entries;
  const keys = Object.keys(first).filter((key) => key !== 'summary' && !Array.isArray(first[key]));
  const cell = (value: unknown) => String(value ?? '-').replaceAll('|', '\\|');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    line(keys),
    line(keys.map(() => '---')),
    ...entries.map((entry) => line(keys.map((key) => cell(entry[key])))),
  ].join('');
}

/** What a terminal that is too narrow for prices loses. */
const dropOrder = [['provider'], ['write1h'], ['write5m']];

/** Names with what they stand for; prices are numbers, in columns of their own. */
function shortParts(entries: Listing): PagePart[] {
  if (!entries.some(({ input }) => input !== undefined))
    return [listTable(entries.map(({ name, summary }) => [String(name), String(summary)]))];
  const cell = (title: string) => (entry: Listing[number]) => String(entry[title] ?? unknown);
  const prices = ['input', 'read', 'write5m', 'write1h', 'output'];
  return [
    'USD per million tokens:',
    {
      ...tableOf(entries, [
        names('name', cell('name')),
        names('provider', cell('provider')),
        ...prices.map((title) => numbers(title, cell(title))),
      ]),
      drop: dropOrder,
      whole: '--format md has all',
    },
  ];
}

function longLines(entry: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return [`${key}: ${value}`];
    return [`${key}:`, ...value.map((item) => `  ${typeof item === 'string' ? item : partsText(item)}`)];
  });
}

/** What has a name and words says what it is; numbers alone do not. */
function partsText(item: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(item).filter(([, value]) => value !== '');
  const isNumbers = parts.every(([, value]) => typeof value === 'number');
  return parts.map(([key, value]) => (isNumbers ? `${key} ${value}` : `${value}`)).join(' · ');
}

/** Families with their settings, then presets with what they set; `kind` tells them apart. */
async function listPolicies(): Promise<Listing> {
  const { parsePolicies, policies, presets, describeParam } = await import('../../policies/index.ts');
  const listed = (params: PolicyKind['params'], settings: Settings = {}) => {
    const values = valuesByName(params, settings);
    return Object.entries(params).flatMap(([key, spec]) => {
      const name = plainName(key);
      const value = values.get(name);
      if (!value) return [];
      values.delete(name);
      const [first] = value;
      return [
        { name, default: value.size > 1 ? [...value].join(' + ') : first, accepts: describeParam(spec), doc: spec.doc },
      ];
    });
  };
  const families = policies.all.map(({ name, summary, source, needs, params }) => ({
    name,
    kind: 'family',
    summary,
    source,
    ...listedNeeds(needs),
    params: listed(params),
  }));
  const named = presets.map(({ name, summary, policy, origin, date, evidence, config }) => {
    const [spec] = parsePolicies([name], policies, presets);
    return {
      name,
      kind: 'preset',
      summary,
      policy,
      ...listedNeeds(spec?.kind.needs),
      origin,
      date,
      evidence,
      ...(config ? { config: `PATH of its own ${config.form.toUpperCase()} file: ${config.keys.join(', ')}` } : {}),
      params: listed(spec?.kind.params ?? {}, spec?.settings),
    };
  });
  return [...families, ...named];
}

/** What each setting is, under the name that is typed; members of a chain may differ. */
function valuesByName(params: PolicyKind['params'], settings: Settings): Map<string, Set<Setting>> {
  const values = new Map<string, Set<Setting>>();
  for (const [key, spec] of Object.entries(params)) {
    const name = plainName(key);
    values.set(name, (values.get(name) ?? new Set()).add(settings[key] ?? spec.default));
  }
  return values;
}

/** Without the member of a chain that it belongs to. */
function plainName(key: string): string {
  return key.slice(key.indexOf('.') + 1);
}

function listedNeeds(needs: readonly string[] = []): { needs?: string } {
  return needs.length > 0 ? { needs: needs.join(', ') } : {};
}

/** Every model with a price; an id by which a recording names one is added, as it would be billed. */
async function listModels(id: string | undefined): Promise<Listing> {
  const { hostOf, loadPriceBook, servicesOf, withService } = await import('../../providers/index.ts');
  const { hoursName } = await import('../../providers/provider.ts');
  const book = withService(await loadPriceBook({ allowUnpriced: true }), { tier: 'recorded', region: 'recorded' });
  const known = book.models();
  const isOther = id !== undefined && !known.includes(id) && !book.card(id).unpriced;
  return [...known, ...(isOther ? [id] : [])].map((name) => {
    const card = book.card(name);
    const { tiers, hours = [], source, provider } = card;
    const rates = tiers[0]?.rates;
    return {
      name: card.model,
      ...(name === card.model ? {} : { id: name, host: hostOf(name)?.name ?? 'its maker' }),
      summary: `${provider}: input ${rates?.fresh}, read ${rates?.cacheRead}, write 5m ${rates?.cacheWrite5m}, 1h ${rates?.cacheWrite1h}, output ${rates?.output} USD/MTok`,
      provider,
      ...(rates
        ? {
            input: rates.fresh,
            read: rates.cacheRead,
            write5m: rates.cacheWrite5m,
            write1h: rates.cacheWrite1h,
            output: rates.output,
          }
        : {}),
      // What sending a token anew costs beyond reading it, in reads of it: (write - read) / read.
      factor5m: factorOf(rates?.cacheWrite5m, rates?.cacheRead),
      factor1h: factorOf(rates?.cacheWrite1h, rates?.cacheRead),
      tiers: tiers.map(({ abovePromptTokens, rates: tier }) => ({ abovePromptTokens, ...tier })),
      ...(hours.length === 0
        ? {}
        : {
            hours: hours.flatMap((each) =>
              each.tiers.map(({ abovePromptTokens, rates: tier }) => ({
                utc: hoursName(each),
                abovePromptTokens: `above ${abovePromptTokens}`,
                rates: `input ${tier.fresh}, read ${tier.cacheRead}, output ${tier.output}`,
              })),
            ),
          }),
      services: servicesOf(card),
      window: book.limits(name)?.window ?? null,
      source,
    };
  });
}

function factorOf(write = 0, read = 0): number | null {
  return read > 0 ? Number(((write - read) / read).toFixed(1)) : null;
}

async function listProviders(): Promise<Listing> {
  const { cacheModels, planners } = await import('../../providers/index.ts');
  return [
    ...cacheModels.all.map((cache) => ({
      name: cache.name,
      summary: `cache model: ${cache.title}`,
      models: cache.providers?.join(', ') ?? "anybody's",
      rules: cache.examples.flatMap((model) => {
        const rules = cache.rulesFor({ model, provider: cache.providers?.[0] ?? '', chargesWrites: false });
        return [
          { model, rule: '--ttl', value: rules.ttls.join(', '), source: '', assumed: '' },
          ...rules.notes.map(({ rule, value, source, assumed }) => ({
            model,
            rule,
            value,
            source,
            assumed: assumed ? 'assumed' : '',
          })),
        ];
      }),
    })),
    ...planners.all.map(({ name, title }) => ({ name, summary: `breakpoint planner: ${title}` })),
  ];
}

async function listFormats(): Promise<Listing> {
  const { formats } = await import('../../formats/index.ts');
  return formats.all.map(({ name, title, supplies }) => ({ name, summary: title, ...supplies }));
}
