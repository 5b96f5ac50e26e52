import { stringify } from 'csv-stringify/sync';
import type { ExplainedRequest, Explanation } from '../results/index.ts';
import { formatCount, formatCounted, formatPercent, formatTokens, formatUsd } from '../units.ts';
import { grid } from './grid.ts';
import { digestLine, noteLines, plain } from './lines.ts';

/** An explanation for people: the answer, the parts of the bill, then the requests of a session or the sessions of a corpus. */
export function explanationText(explanation: Explanation): string {
  const notes = noteLines(explanation).map((note) => `- ${plain(note)}`);
  const blocks = [
    explanation.answer.map(plain).join('\n'),
    partsText(explanation),
    explanation.requests.length > 0 ? requestsText(explanation.requests) : sessionsText(explanation),
    ['What this does not model, and what it assumes:', ...notes].join('\n'),
    plain(digestLine(explanation)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** One line per request, numbers unrounded. */
export function explanationCsv({ requests }: Explanation): string {
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

function partsText({ parts, usd }: Explanation): string {
  return grid(
    ['what was paid for', 'cost', 'share', 'above a read', 'tokens', 'times'],
    parts.map((part) => [
      part.label,
      formatUsd(part.usd),
      formatPercent(usd > 0 ? part.usd / usd : null),
      part.kind === 'resent' ? formatUsd(part.extraUsd) : '',
      formatTokens(part.tokens),
      formatCount(part.times),
    ]),
    [0],
  );
}

/** So many sessions are shown, the dearest; the JSON has all. */
const shownSessions = 20;

function sessionsText({ sessions }: Explanation): string {
  const text = grid(
    ['session', 'cost', 'sent again', 'above a read', 'requests', 'what cost most'],
    sessions
      .slice(0, shownSessions)
      .map((session) => [
        session.file,
        formatUsd(session.usd),
        formatTokens(session.resentTokens),
        formatUsd(session.extraUsd),
        formatCount(session.requests),
        session.main?.replace('sent again: ', '') ?? '',
      ]),
    [0, 5],
  );
  const more = sessions.length - shownSessions;
  return more > 0 ? `${text}\nand ${formatCounted(more, 'session')} more (--format json has all)` : text;
}

function requestsText(requests: readonly ExplainedRequest[]): string {
  return grid(
    ['request', 'turn', 'read', 'written', 'fresh', 'output', 'cost', 'why tokens were sent again'],
    requests.map((request) => [
      formatCount(request.request),
      formatCount(request.turn),
      formatTokens(request.usage.cacheRead),
      formatTokens(request.usage.cacheWrite5m + request.usage.cacheWrite1h),
      formatTokens(request.usage.fresh),
      formatTokens(request.usage.output),
      formatUsd(request.usd),
      whyText(request),
    ]),
    [7],
  );
}

function whyText(request: ExplainedRequest): string {
  const edits = editText(request);
  const causes = request.resent.map(({ cause, label, tokens, extraUsd }) => {
    const why = cause === 'edit' && edits !== '' ? edits : label;
    return `${formatTokens(tokens)} for ${formatUsd(extraUsd)}: ${why}`;
  });
  const isTold = edits === '' || request.resent.some(({ cause }) => cause === 'edit');
  return [...causes, ...(isTold ? [] : [edits])].join('; ');
}

function editText({ edit }: ExplainedRequest): string {
  if (!edit) return '';
  const place = edit.block === 0 ? '' : ` from block ${edit.block} of turn ${edit.turn} on`;
  return `${edit.count} ${edit.count === 1 ? 'edit' : 'edits'}${place} (${edit.reason})`;
}

function resentTokens({ resent }: ExplainedRequest): number {
  return resent.reduce((sum, { tokens }) => sum + tokens, 0);
}
