import * as Plot from '@observablehq/plot';
import type { ExplainedRequest } from '../../results/index.ts';
import type { Result } from '../../results/result.ts';
import { numbers, tableOf, words } from '../../text/index.ts';
import { formatCounted, formatTokens, formatUsd } from '../../units.ts';
import { asTable, drawing, legendOf } from './chart.ts';
import { html, type Markup } from './markup.ts';
import { pageTable } from './table.ts';

type TracedRow = NonNullable<NonNullable<Result['detail']>['trace']>['rows'][number];

/** Pixels: a strip fits two beside each other on a page, or a phone. */
const width = 420;
const mostHeight = 640;
const margins = { marginLeft: 40, marginRight: 16, marginTop: 24, marginBottom: 8 } as const;

/** More strips than this say nothing more to the eye; the table below has as many. */
const mostRequests = 600;

const segments = [
  { name: 'read from the cache', color: 'read', of: ({ usage }: ExplainedRequest) => usage.cacheRead },
  {
    name: 'written to the cache',
    color: 'written',
    of: ({ usage }: ExplainedRequest) => usage.cacheWrite5m + usage.cacheWrite1h,
  },
  { name: 'fresh', color: 'fresh', of: ({ usage }: ExplainedRequest) => usage.fresh },
] as const;

/** The dearest session, one strip per request, under the baseline and beside it under the best setting. */
export function stripCharts({ detail }: Result): Markup {
  if (!detail)
    return html`<p>This page was made of a stored result, which holds no single requests. <code>ctxsim replay PATHS -o FILE.html</code> shows those of the dearest session.</p>
`;
  const { trace } = detail;
  if (!trace || trace.rows.length === 0) return html``;
  const most = Math.max(...trace.rows.flatMap(({ requests }) => requests.map(promptOf)));
  const longest = Math.max(...trace.rows.map(({ requests }) => requests.length));
  const used = segments.filter(({ of }) => trace.rows.some(({ requests }) => requests.some((each) => of(each) > 0)));
  const cut = longest > mostRequests ? ` The first ${mostRequests} requests are shown.` : '';
  return html`<figure id="strips">
<figcaption>The dearest session, request by request</figcaption>
<p><bdi>${trace.id}</bdi>, <bdi>${trace.file}</bdi>. Each strip is the prompt of one request, top to bottom; its length is in tokens. A mark at the left edge: the policy had edited the past before it.${cut}</p>
${legendOf([...used, { name: 'edited before this request', color: 'ink', isTick: true }])}
<div class="pair">${trace.rows.map((row, at) => strips(row, at, most, Math.min(longest, mostRequests)))}</div>
${trace.rows.map((row) => asTable(requestTable(row), false, row.label))}
</figure>
`;
}

function strips({ label, requests }: TracedRow, at: number, most: number, count: number): Markup {
  const shown = requests.slice(0, mostRequests);
  // Whole pixels, so that all strips look alike.
  const pitch = Math.max(1, Math.min(9, Math.floor(mostHeight / count)));
  const bars = shown.flatMap((request) => {
    let from = 0;
    return segments.flatMap(({ color, of }) => {
      const tokens = of(request);
      const start = from;
      from += tokens;
      return tokens > 0 ? [{ y: request.request, from: start, to: from, color: `var(--${color})` }] : [];
    });
  });
  const usd = requests.reduce((sum, request) => sum + request.usd, 0);
  const edits = requests.filter(({ edit }) => edit !== null).length;
  const sum = (of: (request: ExplainedRequest) => number) =>
    formatTokens(requests.reduce((total, request) => total + of(request), 0));
  const amounts = segments.map(({ name, of }) => `${name} ${sum(of)}`).join(', ');
  const svg = drawing(
    `strip-${at}`,
    `${label}: one strip per request`,
    `${formatCounted(requests.length, 'request')}, ${formatUsd(usd)}: ${amounts} tokens. The past was edited before ${formatCounted(edits, 'request')}.`,
    {
      ...margins,
      width,
      className: 'strip',
      height: margins.marginTop + margins.marginBottom + pitch * count,
      x: {
        domain: [0, most],
        axis: 'top',
        ticks: 4,
        tickFormat: (tokens: number) => formatTokens(tokens).replace('.0', ''),
        label: null,
      },
      y: {
        domain: [0.5, count + 0.5],
        reverse: true,
        label: null,
        ticks: wholeTicks(count),
        tickFormat: String,
        tickSize: 0,
      },
      marks: [
        Plot.rect(bars, {
          x1: 'from',
          x2: 'to',
          y1: ({ y }: { y: number }) => y - 0.5,
          y2: ({ y }: { y: number }) => y + 0.5,
          fill: 'color',
          shapeRendering: 'crispEdges',
          // Strips are told apart where there is room for a line between them.
          insetTop: pitch > 3 ? 1 : 0,
        }),
        Plot.ruleX(
          shown.filter(({ edit }) => edit !== null),
          {
            x: 0,
            y1: ({ request }: ExplainedRequest) => request - 0.5,
            y2: ({ request }: ExplainedRequest) => request + 0.5,
            dx: -4,
            stroke: 'var(--ink)',
            strokeWidth: 6,
          },
        ),
      ],
    },
  );
  return html`<div><p><strong>${label}</strong> ${formatUsd(usd)} · ${formatCounted(edits, 'edit')}</p>${svg}</div>`;
}

function requestTable({ label, requests }: TracedRow): Markup {
  const [read, written, fresh] = segments;
  return pageTable({
    caption: `Requests under ${label}`,
    ...tableOf(requests.slice(0, mostRequests), [
      numbers('request', ({ request }) => String(request)),
      numbers('turn', ({ turn }) => String(turn)),
      numbers('read', (request) => formatTokens(read.of(request))),
      numbers('written', (request) => formatTokens(written.of(request))),
      numbers('fresh', (request) => formatTokens(fresh.of(request))),
      numbers('output', ({ usage }) => formatTokens(usage.output)),
      numbers('cost', ({ usd }) => formatUsd(usd)),
      words('what was edited', ({ edit }) => (edit ? `${formatCounted(edit.count, 'edit')}: ${edit.reason}` : '')),
      words('why tokens were sent again', ({ resent }) =>
        resent.map(({ tokens, label: why }) => `${formatTokens(tokens)}: ${why}`).join('; '),
      ),
    ]),
  });
}

function promptOf(request: ExplainedRequest): number {
  return segments.reduce((sum, { of }) => sum + of(request), 0);
}

/** Requests that are numbered at the side: every one, every fifth, every tenth, …, few enough to be told apart. */
function wholeTicks(count: number): number[] {
  const most = 8;
  const step = [1, 5, 10, 20, 50].find((each) => count / each <= most) ?? 100;
  return Array.from({ length: Math.floor(count / step) }, (_, at) => (at + 1) * step);
}
