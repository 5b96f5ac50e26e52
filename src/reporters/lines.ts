import type { Result } from '../results/result.ts';
import { formatCount, formatCounted, formatPercent, formatTokens, formatUnbilled, formatUsd } from '../units.ts';

/** What a table that lost columns says of where they are. */
export const everyColumnInCsv = '--format csv has every column';
export const allInJson = '--format json has all';

/** Below the first rows of a table: how many more there are; nothing where these are all. */
export function moreThanShown(count: number, noun: string): string {
  return count > 0 ? `and ${formatCounted(count, noun)} more (${allInJson})` : '';
}

/** What was assumed, one line per kind; a reader must be able to tell a measured number from an assumed one. */
export function headerLines({ assumptions, corpus, rows }: Result): string[] {
  const legend = rows.some((row) => row.savingRecordedMarkers !== null)
    ? ' (saving: anchor, where the policy needs them; harness: as recorded)'
    : '';
  const planners = assumptions.breakpoints.join(', ');
  const { tokenUncertainty } = assumptions;
  const uncertainty = tokenUncertainty === null ? '' : ` (an estimate is off by ${formatPercent(tokenUncertainty)})`;
  const markers = planners === '' ? [] : [`markers ${planners}${legend}`];
  return [
    [
      `model ${assumptions.models.join(', ')}`,
      `cache ${assumptions.cache.join(', ')}`,
      ...markers,
      `TTL ${assumptions.ttl}`,
      ...(isUsual(assumptions.serviceTier) ? [] : [`tier ${assumptions.serviceTier}`]),
      ...(isUsual(assumptions.region) ? [] : [`region ${assumptions.region}`]),
      ...servedPart(assumptions),
      `prices ${assumptions.pricedAt}`,
    ].join(' · '),
    `tokens: ${assumptions.tokens} · ${formatPercent(assumptions.estimatedShare)} of the prompt estimated${uncertainty}`,
    [
      formatCounted(corpus.sessions, 'session'),
      formatCounted(corpus.turns, 'turn'),
      formatCounted(corpus.requests, 'request'),
      `${formatTokens(corpus.tokens)} prompt tokens`,
      `largest session ${formatPercent(corpus.largestSession)} of the spend, largest five ${formatPercent(corpus.largestFive)} (in effect ${corpus.effectiveSessions.toFixed(1)} sessions)`,
    ].join(' · '),
    `spend of ${assumptions.baseline}${besideRequests(rows)}: ${shareLine(corpus.shares)}`,
    ...recordedLines(corpus),
  ];
}

/** The list price, or what each recording shows, which is said by how many requests it holds for. */
function isUsual(service: string): boolean {
  return ['standard', 'global', 'recorded'].includes(service);
}

/** What was asked for holds for all requests, and is said already. */
function servedPart({ served, serviceTier, region }: Result['assumptions']): string[] {
  const counted = Object.entries(served)
    .filter(([name]) => name !== serviceTier && name !== region)
    .map(([name, count]) => `${name} (${formatCounted(count, 'request')})`);
  return counted.length === 0 ? [] : [`served by or at ${counted.join(', ')}`];
}

/** What was recorded, and apart from it what every row has beside that. */
function recordedLines({ recordedUsd, estimatedOutputUsd }: Result['corpus']): string[] {
  if (recordedUsd === null) return [];
  const beside =
    estimatedOutputUsd === null || estimatedOutputUsd === 0
      ? ''
      : `; output that it does not count is estimated at ${formatUsd(estimatedOutputUsd)} more, in every row`;
  return [`what was recorded costs ${formatUsd(recordedUsd)} at these prices${beside}`];
}

/** What the shares of the spend are without: they are those of the conversation's own requests. */
function besideRequests(rows: Result['rows']): string {
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  const without = [
    ...(baseline && baseline.cost.storage > 0 ? ['cached contents and their storage'] : []),
    ...(baseline && baseline.cost.summarizer > 0 ? ['extra calls'] : []),
  ];
  return without.length === 0 ? '' : ` without ${without.join(' and ')}`;
}

/** Where a result can be told from another: version, prices, inputs, seed. */
export function digestLine({ digest }: Pick<Result, 'digest'>): string {
  return `ctxsim ${digest.version} · prices ${digest.prices} · inputs ${digest.inputs} · seed ${digest.seed}`;
}

/** What was not modelled, and what was found in the inputs; counts only, details are in the JSON. */
export function noteLines({ assumptions, findings }: Pick<Result, 'assumptions' | 'findings'>): string[] {
  const counted = findings
    .map((finding) => `${finding.kind} ${formatCount(finding.count)}${formatUnbilled(finding.tokens)}`)
    .join(', ');
  return counted === '' ? assumptions.notes : [...assumptions.notes, `findings in the inputs: ${counted}`];
}

/** The notes as a list for people; nothing where there are none. */
export function noteList(result: Pick<Result, 'assumptions' | 'findings'>): string[] {
  const notes = noteLines(result).map((note) => `- ${note}`);
  return notes.length > 0 ? ['What this does not model, and what it assumes:', ...notes] : [];
}

function shareLine(shares: Result['corpus']['shares']): string {
  return [
    `system ${formatPercent(shares.system)}`,
    `prompts ${formatPercent(shares.prompts)}`,
    `replies ${formatPercent(shares.replies)}`,
    `results of the current turn ${formatPercent(shares.currentTurnResults)}`,
    `of earlier turns ${formatPercent(shares.earlierTurnResults)}`,
    `output ${formatPercent(shares.output)}`,
  ].join(', ');
}
