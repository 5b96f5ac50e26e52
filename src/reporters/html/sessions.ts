import * as Plot from '@observablehq/plot';
import type { Result, ResultRow, SessionResult } from '../../results/result.ts';
import { compareText } from '../../session/index.ts';
import { numbers, tableOf, words } from '../../text/index.ts';
import { formatCount, formatCounted, formatSignedPercent, formatUsd } from '../../units.ts';
import { figure } from './chart.ts';
import { html, type Markup, visible } from './markup.ts';
import { pageTable } from './table.ts';

interface Gain {
  readonly session: SessionResult;
  readonly before: number;
  readonly after: number;
  readonly saved: number;
  readonly color: string;
}

/** Sessions in the table, at most; those that gain or lose most come first to be kept. */
const mostSessions = 400;

/** Dollars that a row saves in each session, from the most to the least. */
export function sessionsChart(result: Result, row: ResultRow): Markup {
  const gains = gainsOf(result, row);
  if (gains.length < 2) return html``;
  const kept = [...gains].sort((a, b) => Math.abs(b.saved) - Math.abs(a.saved)).slice(0, mostSessions);
  const shown = gains.filter((gain) => kept.includes(gain));
  const [wins, losses] = [gains.filter(({ saved }) => saved > 0), gains.filter(({ saved }) => saved < 0)];
  const usd = (of: readonly Gain[]) => formatUsd(Math.abs(of.reduce((sum, { saved }) => sum + saved, 0)));
  const sentence = `Cheaper in ${formatCounted(wins.length, 'session')} (${usd(wins)} in all), dearer in ${formatCount(losses.length)} (${usd(losses)}), the same in ${formatCount(gains.length - wins.length - losses.length)}.`;
  const left = gains.length - shown.length;
  return figure({
    id: 'sessions',
    title: `What ${row.label} saves in each session`,
    description: sentence,
    words: sentence,
    legend: [
      { name: 'above the line: cheaper', color: 'good' },
      { name: 'below it: dearer', color: 'bad' },
    ],
    draw: () => ({
      height: 240,
      marginLeft: 52,
      marginTop: 24,
      marginBottom: 24,
      x: { type: 'band', axis: null, domain: shown.map((_, at) => at), padding: shown.length > 100 ? 0 : 0.15 },
      y: { label: '↑ US dollars saved', grid: true, nice: true },
      marks: [
        Plot.barY(shown, {
          x: (_: Gain, at: number) => at,
          y: 'saved',
          fill: 'color',
          // Bars as thin as a pixel would blur.
          shapeRendering: shown.length > 100 ? 'crispEdges' : 'auto',
          title: ({ session, saved }: Gain) => visible(`${session.id}: ${formatUsd(saved)}`),
        }),
        Plot.ruleY([0], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
        Plot.text([`${formatCounted(shown.length, 'session')}, the largest saving first`], {
          frameAnchor: 'bottom',
          dy: 18,
          fill: 'var(--ink-2)',
        }),
      ],
    }),
    table: html`${left > 0 ? html`<p>The ${formatCount(shown.length)} that differ most are shown; --format json has all.</p>` : ''}${gainsTable(shown, result.assumptions.baseline, row.label)}`,
  });
}

function gainsTable(gains: readonly Gain[], baseline: string, label: string): Markup {
  return pageTable({
    caption: `Sessions under ${label}`,
    ...tableOf(gains, [
      words('session', ({ session }) => session.id),
      words('file', ({ session }) => session.file),
      words('model', ({ session }) => session.model),
      numbers('requests', ({ session }) => formatCount(session.requests)),
      numbers(baseline, ({ before }) => formatUsd(before)),
      numbers(label, ({ after }) => formatUsd(after)),
      numbers('saved', ({ saved }) => formatUsd(saved)),
      numbers('saving', ({ before, saved }) => formatSignedPercent(before > 0 ? saved / before : null)),
    ]),
  });
}

function gainsOf({ sessions, rows }: Result, row: ResultRow): Gain[] {
  const baseline = baselineOf(rows, row);
  return sessions
    .flatMap((session) => {
      const [before, after] = [session.cost[baseline], session.cost[row.label]];
      if (typeof before !== 'number' || typeof after !== 'number') return [];
      const saved = before - after;
      return [{ session, before, after, saved, color: `var(--${saved >= 0 ? 'good' : 'bad'})` }];
    })
    .sort((a, b) => b.saved - a.saved || compareText(a.session.id, b.session.id));
}

/** Each setting of the provider has a baseline of its own, which stands before its rows. */
function baselineOf(rows: readonly ResultRow[], row: ResultRow): string {
  return (
    rows.slice(0, rows.indexOf(row)).findLast(({ isBaseline }) => isBaseline)?.label ??
    rows.find(({ isBaseline }) => isBaseline)?.label ??
    ''
  );
}
