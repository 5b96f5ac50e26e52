import { type CtxsimError, exitCodes } from '../../errors.ts';
import { type ReadFile, readFiles } from '../../run/index.ts';
import { addUsage, humanTurns, type RequestTotals, type Session, type Usage, zeroUsage } from '../../session/index.ts';
import { pageText } from '../../text/index.ts';
import { formatCounted } from '../../units.ts';
import { type InputFlags, readOptions } from '../inputs.ts';
import { type Io, reportFindings } from '../io.ts';

/** What `inspect` says of one file; token counts are sums of recorded usage. */
interface FileReport {
  readonly file: string;
  readonly format: string;
  readonly sessions: number;
  readonly turns: number;
  /** Distinct provider requests, those of rewound branches and sub-agents included. */
  readonly requests: number;
  /** Those of them that stand in no conversation: rewound branches, and what was billed beside a response. */
  readonly abandoned: number;
  /** Requests that carry recorded usage. */
  readonly requestsWithUsage: number;
  readonly segments: number;
  readonly models: readonly string[];
  readonly content: readonly string[];
  readonly usage: Usage;
  /** Of requests without recorded usage, what is known of them: their prompts and outputs, tokens. */
  readonly totals: RequestTotals;
}

/** `ctxsim inspect`: what is in these files, and what was wrong with them. */
export async function inspect(
  io: Io,
  paths: readonly string[],
  flags: InputFlags & { readonly format: string },
): Promise<number> {
  const read = readOptions(io, paths, flags);
  const files: FileReport[] = [];
  const errors: CtxsimError[] = [];
  let invalidRecords = 0;
  for await (const file of readFiles(read)) {
    if (file.error) errors.push(file.error);
    else files.push(reportOf(file));
    invalidRecords += file.invalidRecords;
  }
  const findings = read.findings.list();
  if (flags.format === 'json') {
    const failed = errors.map(({ message, hint }) => ({ message, hint }));
    io.out(`${JSON.stringify({ schema: 'ctxsim.inspect/1', files, failed, findings }, null, 2)}\n`);
  } else {
    io.out(pageText([files.flatMap(linesOf)], io));
  }
  reportFindings(io, findings, errors, flags);
  const isInvalid = files.length === 0 || invalidRecords > 0;
  return isInvalid ? exitCodes.couldNotAnswer : exitCodes.done;
}

function reportOf({ path, format, sessions }: ReadFile): FileReport {
  const usages = sessions.flatMap(usagesOf);
  return {
    file: path,
    format: format?.name ?? '',
    sessions: sessions.length,
    turns: sessions.reduce((sum, session) => sum + (session.parent === undefined ? humanTurns(session) : 0), 0),
    requests: sessions.reduce((sum, { requests, abandoned }) => sum + requests.length + abandoned.length, 0),
    abandoned: sessions.reduce((sum, { abandoned }) => sum + abandoned.length, 0),
    requestsWithUsage: usages.length,
    segments: sessions.reduce((sum, { segments }) => sum + segments.length, 0),
    models: [...new Set(sessions.flatMap(modelsOf))].sort(),
    content: [...new Set(sessions.map(({ content }) => content))].sort(),
    usage: usages.reduce(addUsage, zeroUsage),
    totals: totalsOf(sessions),
  };
}

function totalsOf(sessions: readonly Session[]): RequestTotals {
  const totals = sessions.flatMap(({ requests }) =>
    requests.flatMap(({ totals, usage }) => (usage ? [] : (totals ?? []))),
  );
  return totals.reduce((a, b) => ({ prompt: a.prompt + b.prompt, output: a.output + b.output }), {
    prompt: 0,
    output: 0,
  });
}

function usagesOf({ requests, abandoned }: Session): Usage[] {
  return [...requests, ...abandoned].flatMap(({ usage }) => (usage ? [usage] : []));
}

function modelsOf({ model, requests }: Session): string[] {
  return [model, ...requests.map((request) => request.model)].filter((name) => name !== undefined);
}

function linesOf({
  file,
  format,
  sessions,
  turns,
  requests,
  abandoned,
  requestsWithUsage,
  usage,
  totals,
  models,
}: FileReport): string[] {
  const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output } = usage;
  const beside = abandoned === 0 ? '' : `, ${abandoned} of them outside the conversation`;
  const lines = [
    `${file}: ${format}, ${formatCounted(sessions, 'session')}, ${formatCounted(turns, 'turn')}, ${formatCounted(requests, 'request')}${beside} (${models.join(', ') || 'no model'})`,
  ];
  if (requestsWithUsage > 0) {
    lines.push(
      `  recorded tokens: fresh ${fresh}, read ${cacheRead}, written 5m ${cacheWrite5m}, written 1h ${cacheWrite1h}, output ${output}`,
    );
  }
  if (totals.prompt + totals.output > 0)
    lines.push(`  recorded tokens: prompt ${totals.prompt}, output ${totals.output}`);
  if (requestsWithUsage === 0 && totals.prompt + totals.output === 0) lines.push('  recorded tokens: none');
  return lines;
}
