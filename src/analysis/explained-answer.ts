import type { Explanation } from '../results/index.ts';
import { shellCommand } from '../shell.ts';
import { formatCount, formatCounted, formatPercent, formatTokens, formatUsd } from '../units.ts';

type Facts = Pick<
  Explanation,
  'policy' | 'corpus' | 'usd' | 'parts' | 'newTokens' | 'resentTokens' | 'rewriteFactor' | 'sessions' | 'requests'
>;

/** Where the money went and what broke the cache, in a few sentences. */
export function explainedAnswer(facts: Facts): string[] {
  return [bill(facts), ...tooLong(facts), ...split(facts), ...breaks(facts), ...worst(facts)];
}

function bill({ policy, usd, corpus, sessions }: Facts): string {
  const where = sessions.length === 1 ? '' : ` of ${formatCounted(sessions.length, 'session')}`;
  return `Under ${policy} the ${formatCounted(corpus.requests, 'request')}${where} cost ${formatUsd(usd)}.`;
}

/** When the prompt of a session got longer than its window. */
function tooLong({ requests }: Facts): string[] {
  const long = requests.filter(({ isTooLong }) => isTooLong);
  const [first] = long;
  if (!first) return [];
  const which = long.length === 1 ? 'That one' : `${formatCount(long.length)} requests`;
  return [
    `Request ${formatCount(first.request)}, in turn ${formatCount(first.turn)}, is the first that is longer than the window allows. ${which} could not have been sent, and ${long.length === 1 ? 'is' : 'are'} billed as if sent.`,
  ];
}

/** What the kinds of parts are in the middle of a sentence. */
const kinds: readonly (readonly [Facts['parts'][number]['kind'], string])[] = [
  ['output', 'output'],
  ['new', 'context sent for the first time'],
  ['read', 'context read again from the cache'],
  ['resent', 'context sent again in full'],
  ['calls', 'extra calls'],
  ['contents', 'cached contents and their storage'],
  ['refetch', 'results read again, as charged'],
  ['abandoned', 'requests of abandoned branches'],
];

/** The first four are always named, the others where there are any. */
const alwaysNamed = 4;

function split({ parts, usd }: Facts): string[] {
  if (usd <= 0) return [];
  const shares = kinds
    .map(([kind, words]) => ({
      words,
      share: parts.reduce((sum, part) => sum + (part.kind === kind ? part.usd : 0), 0) / usd,
    }))
    .filter(({ share }, index) => index < alwaysNamed || share > 0)
    .map(({ words, share }) => `${formatPercent(share)} ${words}`);
  return [`It went to: ${shares.join(', ')}.`];
}

function breaks({ parts, resentTokens, newTokens, rewriteFactor, usd }: Facts): string[] {
  const resent = parts.filter(({ kind }) => kind === 'resent').sort((a, b) => b.extraUsd - a.extraUsd);
  const [main] = resent;
  if (!main || rewriteFactor === null) return ['The cache was never broken: nothing was sent twice in full.'];
  const extra = resent.reduce((sum, part) => sum + part.extraUsd, 0);
  return [
    `${formatTokens(resentTokens)} tokens were sent in full although an earlier request had carried them, beside ${formatTokens(newTokens)} new ones (re-write factor ${rewriteFactor.toFixed(2)}): ${formatUsd(extra)}, ${formatPercent(extra / usd)} of the bill, above what reading them would have cost.`,
    `What broke the cache most: ${main.label.replace('sent again: ', '')}, ${formatUsd(main.extraUsd)} in ${formatCount(main.times)} ${main.times === 1 ? 'request' : 'requests'}.`,
  ];
}

function worst({ policy, sessions }: Facts): string[] {
  const [first] = [...sessions].sort((a, b) => b.extraUsd - a.extraUsd);
  if (sessions.length < 2 || !first?.main) return [];
  const cost = `${formatUsd(first.extraUsd)} of ${formatUsd(first.usd)}`;
  // One session of several in a file cannot be named on the command line.
  if (sessions.filter(({ file }) => file === first.file).length > 1)
    return [`It hit session ${first.id} of ${first.file} hardest: ${cost}.`];
  const command = ['ctxsim', 'explain', first.file, ...(policy === 'recorded' ? [] : ['--policy', policy])];
  return [`It hit ${first.file} hardest: ${cost}; see it request by request with: ${shellCommand(command)}`];
}
