import { stringify } from 'csv-stringify/sync';
import { CtxsimError } from '../errors.ts';
import type { ExplainedRequest, Explanation } from '../results/index.ts';
import { fittedTo, type PagePart, pageText, type TextColumn, type TextTable } from '../text/index.ts';
import { formatCount, formatCounted, formatPause, formatPercent, formatTokens, formatUsd } from '../units.ts';
import { digestLine, noteLines, noteList, plain } from './lines.ts';
import { bullets, escaped, tableLines } from './markdown-text.ts';
import type { RenderOptions } from './reporter.ts';

/** An explanation for people: the answer, the parts of the bill, then the requests of a session or the sessions of a corpus. */
export function explanationText(explanation: Explanation, options: Pick<RenderOptions, 'width'>): string {
  return pageText(
    [
      explanation.answer,
      partsTable(explanation),
      ...detailParts(explanation),
      noteList(explanation),
      digestLine(explanation),
    ],
    options,
  );
}

/** The same in Markdown. */
export function explanationMarkdown(explanation: Explanation): string {
  const blocks = [
    ...explanation.answer.map((sentence) => `**${escaped(sentence)}**`),
    ...[partsTable(explanation), ...detailParts(explanation).flat()].map(markdownPart),
    bullets(noteLines(explanation)),
    escaped(digestLine(explanation)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/**
 * One line per request, numbers unrounded.
 * @throws CtxsimError `bad-format` where there are several sessions.
 */
export function explanationCsv({ requests, sessions }: Explanation): string {
  if (requests.length === 0) {
    throw new CtxsimError(
      'bad-format',
      `csv lists the requests of one session; here are ${sessions.length}`,
      'Name a file of one session, or use --format json or -o FILE.json.',
    );
  }
  const head = [
    'request',
    'turn',
    'time_utc',
    'model',
    'read_tokens',
    'write_5m_tokens',
    'write_1h_tokens',
    'fresh_tokens',
    'output_tokens',
    'cost_usd',
    'new_tokens',
    'resent_tokens',
    'extra_usd',
    'causes',
    'edits',
  ];
  const lines = requests.map((request) => [
    request.request,
    request.turn,
    request.time === null ? '' : new Date(request.time).toISOString(),
    plain(request.model),
    request.usage.cacheRead,
    request.usage.cacheWrite5m,
    request.usage.cacheWrite1h,
    request.usage.fresh,
    request.usage.output,
    request.usd,
    request.newTokens,
    resentTokens(request),
    request.resent.reduce((sum, { extraUsd }) => sum + extraUsd, 0),
    plain(request.resent.map(({ label, tokens }) => `${label}: ${tokens}`).join('; ')),
    plain(editText(request)),
  ]);
  return stringify([head, ...lines], { escape_formulas: true });
}

function markdownPart(part: PagePart): string {
  if (typeof part === 'string') return escaped(part);
  const { columns, rows } = fittedTo(part, undefined);
  const { head, lines } = tableLines(columns, rows);
  return [...head, ...lines].join('\n');
}

const whole = '--format json has all';

function partsTable({ parts, usd }: Explanation): TextTable {
  return tableOf(
    parts,
    [
      { ...text('what was paid for'), wraps: 'words', cell: ({ label }) => label },
      { ...number('cost'), cell: (part) => formatUsd(part.usd) },
      { ...number('share'), cell: (part) => formatPercent(usd > 0 ? part.usd / usd : null) },
      { ...number('above a read'), cell: ({ kind, extraUsd }) => (kind === 'resent' ? formatUsd(extraUsd) : '') },
      { ...number('tokens'), cell: ({ tokens }) => formatTokens(tokens) },
      { ...number('times'), cell: ({ times }) => formatCount(times) },
    ],
    [['times'], ['tokens'], ['share']],
  );
}

/** So many sessions are shown, the dearest; the JSON has all. */
const shownSessions = 20;

function detailParts({ requests, sessions }: Explanation): [TextTable, ...string[]][] {
  if (requests.length > 0) return [[requestsTable(requests)]];
  const more = sessions.length - shownSessions;
  return [[sessionsTable(sessions), ...(more > 0 ? [`and ${formatCounted(more, 'session')} more (${whole})`] : [])]];
}

function sessionsTable(sessions: Explanation['sessions']): TextTable {
  // The sessions of one file are told apart by their names.
  const hasNames = new Set(sessions.map(({ file }) => file)).size < sessions.length;
  return tableOf(
    sessions.slice(0, shownSessions),
    [
      ...(hasNames ? [{ ...text('session'), cell: ({ id }: Explained) => id }] : []),
      { ...text(hasNames ? 'file' : 'session'), wraps: 'labels', cell: ({ file }) => file },
      { ...number('cost'), cell: ({ usd }) => formatUsd(usd) },
      { ...number('sent again'), cell: ({ resentTokens }) => formatTokens(resentTokens) },
      { ...number('above a read'), cell: ({ extraUsd }) => formatUsd(extraUsd) },
      { ...number('requests'), cell: ({ requests }) => formatCount(requests) },
      { ...text('what cost most'), wraps: 'words', cell: ({ main }) => main?.replace('sent again: ', '') ?? '' },
    ],
    [['file'], ['sent again'], ['requests'], ['above a read']],
  );
}

type Explained = Explanation['sessions'][number];

function requestsTable(requests: readonly ExplainedRequest[]): TextTable {
  const before = new Map(requests.map((request, at) => [request, requests[at - 1]]));
  const some = (has: (request: ExplainedRequest) => boolean, column: Cells<ExplainedRequest>) =>
    requests.some(has) ? [column] : [];
  return tableOf(
    requests,
    [
      { ...number('request'), cell: ({ request }) => formatCount(request) },
      { ...number('turn'), cell: ({ turn }) => formatCount(turn) },
      ...some(({ time }) => time !== null, {
        ...number('pause'),
        cell: (request) => pauseText(request, before.get(request)),
      }),
      ...some(({ model }) => model !== requests[0]?.model, { ...text('model'), cell: ({ model }) => model }),
      { ...number('read'), cell: ({ usage }) => formatTokens(usage.cacheRead) },
      { ...number('written'), cell: ({ usage }) => formatTokens(usage.cacheWrite5m + usage.cacheWrite1h) },
      ...some(({ usage }) => usage.fresh > 0, { ...number('fresh'), cell: ({ usage }) => formatTokens(usage.fresh) }),
      { ...number('output'), cell: ({ usage }) => formatTokens(usage.output) },
      { ...number('cost'), cell: ({ usd }) => formatUsd(usd) },
      { ...text('why tokens were sent again'), wraps: 'words', cell: whyText },
    ],
    [['output'], ['fresh'], ['turn'], ['model'], ['written']],
  );
}

/** How long ago the request before began; unknown without its time. */
function pauseText({ time }: ExplainedRequest, before: ExplainedRequest | undefined): string {
  return formatPause(time === null || !before || before.time === null ? null : time - before.time);
}

/** A column with the cell of each row. */
type Cells<Row> = TextColumn & { cell(row: Row): string };

function tableOf<Row>(
  rows: readonly Row[],
  columns: readonly Cells<Row>[],
  drop: readonly (readonly string[])[],
): TextTable {
  return { columns, rows: rows.map((row) => columns.map(({ cell }) => cell(row))), drop, whole };
}

function text(title: string): TextColumn {
  return { key: title, title, align: 'left' };
}

function number(title: string): TextColumn {
  return { key: title, title, align: 'right' };
}

function whyText(request: ExplainedRequest): string {
  const edits = editText(request);
  const causes = request.resent.map(({ cause, label, tokens, extraUsd }) => {
    const why = cause === 'edit' && edits !== '' ? edits : label;
    return `${formatTokens(tokens)} for ${formatUsd(extraUsd)}: ${why}`;
  });
  const long = request.isTooLong ? ['longer than the window allows'] : [];
  const isTold = edits === '' || request.resent.some(({ cause }) => cause === 'edit');
  return [...long, ...causes, ...(isTold ? [] : [edits])].join('; ');
}

function editText({ edit }: ExplainedRequest): string {
  if (!edit) return '';
  const place = edit.block === 0 ? '' : ` from block ${edit.block} of turn ${edit.turn} on`;
  return `${edit.count} ${edit.count === 1 ? 'edit' : 'edits'}${place} (${edit.reason})`;
}

function resentTokens({ resent }: ExplainedRequest): number {
  return resent.reduce((sum, { tokens }) => sum + tokens, 0);
}
