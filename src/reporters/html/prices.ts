import * as Plot from '@observablehq/plot';
import { billAt, type PriceWeights } from '../../results/index.ts';
import type { Result, ResultRow } from '../../results/result.ts';
import { numbers, tableOf, words } from '../../text/index.ts';
import { formatCounted, formatSignedPercent } from '../../units.ts';
import { figure } from './chart.ts';
import { heatTable, largest, stepOf } from './heat.ts';
import { html, type Markup, short } from './markup.ts';
import { type SoldPrices, soldPrices } from './sold-prices.ts';
import { pageTable } from './table.ts';

/** The bills of a row and of the baseline by the two prices of the cache. */
interface Bills {
  readonly row: PriceWeights;
  readonly baseline: PriceWeights;
}

/** What is drawn: every price that is sold lies in it, none on its edge. */
const domain = { read: [0.012, 1.3], write: [0.9, 2.1] } as const;

/** Prices at which the map is worked out: so many that no step is seen. */
const cells = { read: 400, write: 30 } as const;

/** Prices of the table, all of them sold somewhere (providers.md §6). */
const tableReads = [0.02, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1];
const tableWrites = [1, 1.25, 1.5, 2];

/** Saving of a row over the prices of reads and writes: where it changes sign, and where models lie. */
export function priceChart({ byPrice = [], assumptions }: Result, row: ResultRow): Markup {
  const [found] = byPrice.flatMap(({ models, rows }) =>
    rows.filter(({ label }) => label === row.label).map((bills) => ({ models, ...bills })),
  );
  if (!found || savingAt(found, 1, 1) === null) return html``;
  const { models } = found;
  const ours = pointsOf(models.map(({ model, ...prices }) => ({ name: model, ...prices })));
  const others = soldPrices.filter((sold) => !ours.some((point) => isSame(point, sold)));
  const line = evenLine(found);
  const sentences = `${signWords(row.label, assumptions.baseline, found, line.length > 0)} Prices are relative to fresh input${models.length > 1 ? ', and the same for every model' : ''}. The requests are those that were replayed: what a policy would do otherwise at other prices is not in it.`;
  return figure({
    id: 'prices',
    title: `Saving of ${row.label} at other prices of the cache`,
    description: `${sentences} ${ours.map((point) => `${point.name}, read ${point.read}, write ${point.write}: ${formatSignedPercent(savingAt(found, point.read, point.write))}`).join('; ')}.`,
    words: sentences,
    legend: [
      { name: 'saves', color: 'good' },
      { name: 'costs more', color: 'bad' },
      { name: 'models of this run', color: 'ink' },
      { name: 'others that are sold', color: 'neutral' },
    ],
    draw: (_, isNarrow) => ({
      height: 320,
      marginLeft: 44,
      marginRight: 16,
      marginTop: 28,
      marginBottom: 40,
      x: {
        type: 'log',
        domain: [...domain.read],
        label: 'price of a read →',
        ticks: isNarrow ? [0.02, 0.1, 0.25, 1] : tableReads,
        tickFormat: String,
      },
      y: { domain: [...domain.write], label: '↑ price of a write', ticks: tableWrites, tickFormat: String },
      marks: [
        Plot.areaX(shades(found), {
          x1: 'from',
          x2: 'to',
          y: 'write',
          z: 'step',
          fill: ({ step }: Shade) => `var(--${step > 0 ? 'good' : 'bad'})`,
          fillOpacity: ({ step }: Shade) => Math.abs(step) * 0.1,
        }),
        Plot.line(line, { x: 'read', y: 'write', stroke: 'var(--ink)', strokeWidth: 1.5, strokeDasharray: '5 3' }),
        Plot.dot(others, {
          x: 'read',
          y: 'write',
          r: 5,
          fill: 'var(--neutral)',
          stroke: 'var(--paper)',
          strokeWidth: 1.5,
        }),
        Plot.dot(ours, { x: 'read', y: 'write', r: 6, fill: 'var(--ink)', stroke: 'var(--paper)', strokeWidth: 1.5 }),
        ...(isNarrow ? [] : [labels(others, 14)]),
        labels(ours, -16),
      ],
      opacity: { type: 'identity' },
    }),
    table: html`${priceGrid(row.label, found)}${soldTable(row.label, found, [...ours, ...others])}`,
  });
}

function priceGrid(label: string, bills: Bills): Markup {
  const caption = `Saving of ${label} by the price of a read (down) and of a five-minute write (across), relative to fresh input`;
  return heatTable(caption, {
    head: ['read', ...tableWrites.map((write) => `write ${write}`)],
    rows: tableReads.map((read) => ({
      name: String(read),
      savings: tableWrites.map((write) => savingAt(bills, read, write)),
    })),
  });
}

function soldTable(label: string, bills: Bills, points: readonly SoldPrices[]): Markup {
  return pageTable({
    caption: `Saving of ${label} at prices that are sold`,
    ...tableOf(points, [
      words('model', ({ name }) => name),
      numbers('read', ({ read }) => String(Number(read.toFixed(3)))),
      numbers('write', ({ write }) => String(Number(write.toFixed(3)))),
      numbers('saving', ({ read, write }) => formatSignedPercent(savingAt(bills, read, write))),
    ]),
  });
}

function savingAt({ row, baseline }: Bills, read: number, write: number): number | null {
  const before = billAt(baseline, read, write);
  return before > 0 ? 1 - billAt(row, read, write) / before : null;
}

function signWords(label: string, baseline: string, bills: Bills, turns: boolean): string {
  if (turns) return `Along the dashed line ${label} and ${baseline} cost the same.`;
  const saving = savingAt(bills, 1, 1) ?? 0;
  if (saving === 0) return `${label} and ${baseline} cost the same at all of these prices.`;
  return `${label} ${saving > 0 ? 'saves' : 'costs more'} at all of these prices.`;
}

/** Models at the same prices are one point. */
function pointsOf(models: readonly SoldPrices[]): SoldPrices[] {
  const points = models.filter((model, at) => models.findIndex((each) => isSame(each, model)) === at);
  return points.map((point) => {
    const names = new Set(models.filter((model) => isSame(model, point)).map(({ name }) => name));
    return { ...point, name: names.size === 1 ? point.name : formatCounted(names.size, 'model') };
  });
}

function isSame(a: SoldPrices, b: SoldPrices): boolean {
  return Math.abs(a.read - b.read) < 1e-6 && Math.abs(a.write - b.write) < 1e-6;
}

function labels(points: readonly SoldPrices[], dy: number): Plot.Markish {
  return Plot.text(points, {
    x: 'read',
    y: 'write',
    text: ({ name }: SoldPrices) => short(name, 26),
    dy,
    fill: 'var(--ink)',
    stroke: 'var(--paper)',
    strokeWidth: 4,
  });
}

/** Where the two bills are equal: a straight line in prices, in points that follow each other. */
function evenLine({ row, baseline }: Bills): { readonly read: number; readonly write: number }[] {
  const [rest, read, write] = [row.rest - baseline.rest, row.read - baseline.read, row.write - baseline.write];
  const down = edges('read').map((at) => ({ read: at, write: -(rest + at * read) / write }));
  const across = edges('write').map((at) => ({ read: -(rest + at * write) / read, write: at }));
  const isShown = (value: number, [least, most]: readonly [number, number]) => value >= least && value <= most;
  // Both prices go one way along it.
  const way = read * write > 0 ? -1 : 1;
  return [...down, ...across]
    .filter((point) => isShown(point.read, domain.read) && isShown(point.write, domain.write))
    .sort((a, b) => a.read - b.read || way * (a.write - b.write));
}

/** Reads by equal factors, writes by equal steps. */
function edges(price: 'read' | 'write'): number[] {
  const [least, most] = domain[price];
  const share = (at: number) => at / cells[price];
  return Array.from({ length: cells[price] + 1 }, (_, at) =>
    price === 'read' ? least * (most / least) ** share(at) : least + (most - least) * share(at),
  );
}

interface Shade {
  readonly step: number;
  readonly write: number;
  /** From one read price to another, perhaps the same. */
  readonly from: number;
  readonly to: number;
}

/** One area per shade: at every write price the read prices that have it. A saving grows or falls with the read price all along. */
function shades(bills: Bills): Shade[] {
  const [reads, writes] = [edges('read'), edges('write')];
  const savings = writes.map((write) => reads.map((read) => savingAt(bills, read, write)));
  const most = largest(savings.flat());
  const rows = savings.map((row) => row.map((saving) => stepOf(saving, most)));
  const steps = [...new Set(rows.flat())].filter((step) => step !== 0);
  return steps.flatMap((step) =>
    rows.map((row, at) => {
      const way = (row[0] ?? 0) <= (row.at(-1) ?? 0) ? 1 : -1;
      const edgeAt = (index: number) => reads[index === -1 ? reads.length - 1 : index] as number;
      return {
        step,
        write: writes[at] as number,
        from: edgeAt(row.findIndex((each) => way * (each - step) >= 0)),
        to: edgeAt(row.findIndex((each) => way * (each - step) > 0)),
      };
    }),
  );
}
