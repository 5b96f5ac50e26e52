import { namedRow } from '../../results/index.ts';
import type { Result, ResultRow } from '../../results/result.ts';
import { numbers, tableOf, words } from '../../text/index.ts';
import {
  formatCount,
  formatCounted,
  formatPercent,
  formatPercentRange,
  formatSignedPercent,
  formatTokens,
  formatUnbilled,
  formatUsd,
} from '../../units.ts';
import { adviceTable } from '../advice.ts';
import { breakEvenTables } from '../break-even.ts';
import { billOf, hitShare } from '../columns.ts';
import { sweepGrid, sweepSentences } from '../curve.ts';
import { digestLine, headerLines, noteLines } from '../lines.ts';
import { curveCharts } from './curve.ts';
import { heatTable } from './heat.ts';
import { breakable, html, type Markup, trusted, whole } from './markup.ts';
import { moneyChart } from './money.ts';
import { priceChart } from './prices.ts';
import { savingsChart } from './savings.ts';
import { sessionsChart } from './sessions.ts';
import { stripCharts } from './strips.ts';
import { styleSheet } from './style.ts';
import { pageTable } from './table.ts';

/** Nothing runs in the page and nothing is fetched, whatever a transcript put into it. */
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The whole page, the same bytes for the same result. */
export function page(result: Result): string {
  const best = namedRow(result);
  const [first = '', ...others] = result.answer.split('\n');
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(contentPolicy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="ctxsim ${result.digest.version}">
<title>ctxsim: ${first}</title>
<style>${trusted(styleSheet)}</style>
</head>
<body>
<main>
<header>
<p class="kicker">ctxsim · what a context policy costs</p>
<h1>${first}</h1>
${others.map(
  (sentence) => html`<p class="answer">${sentence}</p>
`,
)}</header>
${keyFigures(result, best)}
${section('Savings', html`${advice(result)}${savingsChart(result, best)}`)}
${section('Settings', html`${curveCharts(result)}${sweptTables(result)}`)}
${section('Bills', moneyChart(result))}
${section('Inside a session', stripCharts(result))}
${section('Session by session', best ? sessionsChart(result, best) : html``)}
${section('Other prices', html`${best ? priceChart(result, best) : ''}${breakEvenTable(result)}`)}
${section('What was assumed', assumed(result))}
</main>
<footer><p>${digestLine(result)}</p></footer>
</body>
</html>
`;
  return markup;
}

/** Nothing where there is nothing to show. */
function section(title: string, content: Markup): Markup {
  return content.markup.trim() === ''
    ? content
    : html`<section><h2>${title}</h2>
${content}</section>
`;
}

function keyFigures(result: Result, best: ResultRow | undefined): Markup {
  const { corpus, rows } = result;
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  const figure = (name: Markup | string, value: string, more = '') =>
    html`<div><dt>${name}</dt><dd>${value}${more === '' ? '' : html`<small>${more}</small>`}</dd></div>
`;
  return html`<dl class="figures">
${baseline ? figure(html`${breakable(baseline.label)} costs`, formatUsd(billOf(baseline)), `${formatPercent(hitShare(baseline))} of the prompt read from the cache`) : ''}
${best ? figure(html`${breakable(best.label)} costs`, formatUsd(billOf(best)), `${formatPercent(hitShare(best))} of the prompt read from the cache`) : ''}
${best ? figure('saving', formatSignedPercent(best.saving), [best.ci95 ? `95 % interval ${formatPercentRange(best.ci95)}` : 'too few sessions for an interval', ...underHarness(best)].join('; ')) : ''}
${corpus.recordedUsd === null ? '' : figure('what was recorded costs', formatUsd(corpus.recordedUsd), 'at these prices, by the recorded usage')}
${figure('replayed', formatCounted(corpus.sessions, 'session'), `${formatCounted(corpus.turns, 'turn')}, ${formatCounted(corpus.requests, 'request')}, ${formatTokens(corpus.tokens)} prompt tokens`)}
</dl>
`;
}

/** The markers may decide more than the setting: nobody should take one saving for the other. */
function underHarness({ savingRecordedMarkers }: ResultRow): string[] {
  return savingRecordedMarkers === null
    ? []
    : [`with the markers of the recorded harness ${formatSignedPercent(savingRecordedMarkers)}`];
}

function advice(result: Result): Markup {
  const { recommendation } = result;
  if (!recommendation) return html``;
  // What the terminal marks stands out here.
  const { columns, rows } = adviceTable(result, recommendation);
  const strong = new Set(rows.flatMap(([mark], at) => (mark === '' ? [] : [at])));
  return html`${pageTable({ caption: 'What to set', columns: columns.slice(1), rows: rows.map((cells) => cells.slice(1)), strong })}
<p>Repeat it with:</p>
<pre class="scroll" tabindex="0" role="region" aria-label="The command"><code>${whole(recommendation.command)}</code></pre>
`;
}

/** What a sweep found, and a grid of savings where two settings were swept. */
function sweptTables(result: Result): Markup {
  const grid = sweepGrid(result);
  // The marks of the terminal's curve have no curve here.
  const sentences = sweepSentences(result).map((sentence) => sentence.replace(/ [●○]:/, ':'));
  return html`${grid ? heatTable('Saving by both settings', grid) : ''}
${sentences.length > 0 ? bullets(sentences) : ''}`;
}

function breakEvenTable(result: Result): Markup {
  const [rows] = breakEvenTables(result);
  return rows ? pageTable({ caption: rows.title, ...rows.table }) : html``;
}

function assumed(result: Result): Markup {
  const { findings } = result;
  return html`${bullets([...headerLines(result), ...noteLines({ ...result, findings: [] })])}
${
  findings.length > 0
    ? pageTable({
        caption: 'Findings in the inputs',
        ...tableOf(findings, [
          words('kind', ({ kind }) => kind),
          numbers('times', ({ count }) => formatCount(count)),
          words('detail', ({ detail, tokens }) => `${detail}${formatUnbilled(tokens)}`),
          words('first seen', ({ first }) => first),
        ]),
      })
    : ''
}`;
}

function bullets(lines: readonly string[]): Markup {
  return html`<ul>${lines.map(
    (line) => html`<li>${line}</li>
`,
  )}</ul>`;
}
