import type { ExplainedRequest, Explanation } from '../results/index.ts';
import {
  type ColumnOf,
  labels,
  names,
  numbers,
  type PagePart,
  pageText,
  type TextTable,
  tableOf,
  words,
} from '../text/index.ts';
import { formatCount, formatCounted, formatPause, formatPercent, formatTokens, formatUsd } from '../units.ts';
import { allInJson, digestLine, moreThanShown, noteLines, noteList } from './lines.ts';
import { blocksText, bullets, escaped, markdownTable } from './markdown-text.ts';
import type { RenderOptions } from './reporter.ts';

/** An explanation for people: the answer, the parts of the bill, then the requests of a session or the sessions of a corpus. */
export function explanationText(explanation: Explanation, options: Pick<RenderOptions, 'width'>): string {
  return pageText(
    [
      explanation.answer,
      partsTable(explanation),
      detailParts(explanation),
      noteList(explanation),
      digestLine(explanation),
    ],
    options,
  );
}

/** The same in Markdown. */
export function explanationMarkdown(explanation: Explanation): string {
  return blocksText([
    ...explanation.answer.map((sentence) => `**${escaped(sentence)}**`),
    ...[partsTable(explanation), ...detailParts(explanation)].map((part) =>
      typeof part === 'string' ? escaped(part) : markdownTable(part),
    ),
    bullets(noteLines(explanation)),
    escaped(digestLine(explanation)),
  ]);
}

function partsTable({ parts, usd }: Explanation): TextTable {
  return {
    ...tableOf(parts, [
      words('what was paid for', ({ label }) => label),
      numbers('cost', (part) => formatUsd(part.usd)),
      numbers('share', (part) => formatPercent(usd > 0 ? part.usd / usd : null)),
      numbers('above a read', ({ kind, extraUsd }) => (kind === 'resent' ? formatUsd(extraUsd) : '')),
      numbers('tokens', ({ tokens }) => formatTokens(tokens)),
      numbers('times', ({ times }) => formatCount(times)),
    ]),
    drop: [['times'], ['tokens'], ['share']],
    whole: allInJson,
  };
}

/** So many sessions are shown, the dearest; the JSON has all. */
const shownSessions = 20;

function detailParts({ requests, sessions }: Explanation): PagePart[] {
  return requests.length > 0
    ? [requestsTable(requests)]
    : [sessionsTable(sessions), moreThanShown(sessions.length - shownSessions, 'session')];
}

function sessionsTable(sessions: Explanation['sessions']): TextTable {
  // The sessions of one file are told apart by their names.
  const hasNames = new Set(sessions.map(({ file }) => file)).size < sessions.length;
  return {
    ...tableOf(sessions.slice(0, shownSessions), [
      ...(hasNames ? [names<Explained>('session', ({ id }) => id)] : []),
      labels(hasNames ? 'file' : 'session', ({ file }) => file),
      numbers('cost', ({ usd }) => formatUsd(usd)),
      numbers('sent again', ({ resentTokens }) => formatTokens(resentTokens)),
      numbers('above a read', ({ extraUsd }) => formatUsd(extraUsd)),
      numbers('requests', ({ requests }) => formatCount(requests)),
      words('what cost most', ({ main }) => main?.replace('sent again: ', '') ?? ''),
    ]),
    drop: [['file'], ['sent again'], ['requests'], ['above a read']],
    whole: allInJson,
  };
}

type Explained = Explanation['sessions'][number];

function requestsTable(requests: readonly ExplainedRequest[]): TextTable {
  const before = new Map(requests.map((request, at) => [request, requests[at - 1]]));
  const hasTimes = requests.some(({ time }) => time !== null);
  const hasModels = requests.some(({ model }) => model !== requests[0]?.model);
  const hasFresh = requests.some(({ usage }) => usage.fresh > 0);
  const shownIf = (isShown: boolean, column: ColumnOf<ExplainedRequest>) => (isShown ? [column] : []);
  return {
    ...tableOf(requests, [
      numbers('request', ({ request }) => formatCount(request)),
      numbers('turn', ({ turn }) => formatCount(turn)),
      ...shownIf(
        hasTimes,
        numbers('pause', (request) => pauseText(request, before.get(request))),
      ),
      ...shownIf(
        hasModels,
        names('model', ({ model }) => model),
      ),
      numbers('read', ({ usage }) => formatTokens(usage.cacheRead)),
      numbers('written', ({ usage }) => formatTokens(usage.cacheWrite5m + usage.cacheWrite1h)),
      ...shownIf(
        hasFresh,
        numbers('fresh', ({ usage }) => formatTokens(usage.fresh)),
      ),
      numbers('output', ({ usage }) => formatTokens(usage.output)),
      numbers('cost', ({ usd }) => formatUsd(usd)),
      words('why tokens were sent again', whyText),
    ]),
    drop: [['output'], ['fresh'], ['turn'], ['model'], ['written']],
    whole: allInJson,
  };
}

/** How long ago the request before began; unknown without its time. */
function pauseText({ time }: ExplainedRequest, before: ExplainedRequest | undefined): string {
  return formatPause(time === null || !before || before.time === null ? null : time - before.time);
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

/** What the policy had edited before a request; nothing where it had not. */
export function editText({ edit }: ExplainedRequest): string {
  if (!edit) return '';
  const place = edit.block === 0 ? '' : ` from block ${edit.block} of turn ${edit.turn} on`;
  return `${formatCounted(edit.count, 'edit')}${place} (${edit.reason})`;
}
