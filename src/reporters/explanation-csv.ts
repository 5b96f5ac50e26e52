import { stringify } from 'csv-stringify/sync';
import { CtxsimError } from '../errors.ts';
import type { ExplainedRequest, Explanation } from '../results/index.ts';
import { plain } from '../text/index.ts';
import { editText } from './explanation-text.ts';

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

function resentTokens({ resent }: ExplainedRequest): number {
  return resent.reduce((sum, { tokens }) => sum + tokens, 0);
}
