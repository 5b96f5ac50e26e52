import { causesOf, costError, eventsOf, mainCauseOf, scoreOf } from '../../analysis/index.ts';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { type BacktestedSession, backtestFiles } from '../../run/index.ts';
import { promptTokens } from '../../session/index.ts';
import {
  labels,
  listTable,
  numbers,
  type PagePart,
  pageText,
  type TextTable,
  tableOf,
  words,
} from '../../text/index.ts';
import type { TokenReport } from '../../tokens/index.ts';
import { formatCounted, formatPercent } from '../../units.ts';
import { type InputFlags, readOptions } from '../inputs.ts';
import { type Io, nothingLeft, reportFindings, say } from '../io.ts';
import { openServiceBook, type PriceFlags, type ServiceFlags } from '../price-book.ts';

interface BacktestFlags extends InputFlags, PriceFlags, ServiceFlags {
  readonly only?: 'edits';
  readonly maxError?: string;
  readonly format: 'table' | 'json';
}

/** `ctxsim backtest`: predicted against recorded usage, with the error; with --max-error a check. */
export async function backtest(io: Io, paths: readonly string[], flags: BacktestFlags): Promise<number> {
  const limit = flags.maxError === undefined ? undefined : fraction(flags.maxError);
  const read = readOptions(io, paths, flags);
  const { sessions, leftOut } = await backtestFiles(read, await openServiceBook(io, flags));
  const findings = read.findings.list();
  if (sessions.length === 0) throw nothingLeft(io, findings, leftOut, flags, nothingToBacktest());
  const report = reportOf(sessions);
  if (flags.only === 'edits' && report.edits.length === 0) throw nothingLeft(io, findings, leftOut, flags, noEdits());
  io.out(
    flags.format === 'json'
      ? `${JSON.stringify(report, null, 2)}\n`
      : pageText(pageOf(report, flags.only === 'edits'), io),
  );
  reportFindings(io, findings, leftOut, flags);
  const { costError: error } = flags.only === 'edits' ? report.pooled.edits : report.pooled.blind;
  if (limit === undefined || Math.abs(error) <= limit) return exitCodes.done;
  say(io, `check failed: the pooled bill is off by ${formatPercent(error)}, more than --max-error ${flags.maxError}\n`);
  return exitCodes.checkFailed;
}

function nothingToBacktest(): CtxsimError {
  return new CtxsimError(
    'nothing-to-backtest',
    'no session has recorded usage for at least two requests',
    'Claude Code, Codex and pi record it; see what a file holds with: ctxsim inspect PATH',
  );
}

function noEdits(): CtxsimError {
  return new CtxsimError(
    'nothing-to-backtest',
    'no request came after a change of its past (a compaction, a prompt that shrank, another model)',
    'Leave --only edits out.',
  );
}

function reportOf(sessions: readonly BacktestedSession[]) {
  return {
    schema: 'ctxsim.backtest/1' as const,
    tokens: meanTokens(sessions),
    timeless: sessions.filter(({ hasTimes }) => !hasTimes).length,
    pooled: {
      blind: scoreOf(sessions, () => true),
      edits: scoreOf(sessions, ({ isEdit }) => isEdit),
      causes: causesOf(sessions),
      causesOfEdits: causesOf(sessions, ({ isEdit }) => isEdit),
      events: eventsOf(sessions),
    },
    sessions: sessions.map((session) => ({
      id: session.id,
      file: session.file,
      model: session.model,
      tokens: session.tokens ?? null,
      blind: scoreOf([session], () => true),
      edits: scoreOf([session], ({ isEdit }) => isEdit),
      causes: causesOf([session]),
      events: eventsOf([session]),
    })),
    edits: sessions.flatMap(({ id, file, requests }) =>
      requests.flatMap(({ isEdit, request, predicted, recorded, cause, rule }) =>
        isEdit
          ? [
              {
                id,
                file,
                request,
                prompt: promptTokens(recorded),
                predictedRead: predicted.cacheRead,
                recordedRead: recorded.cacheRead,
                rule: rule ?? null,
                cause: cause ?? null,
              },
            ]
          : [],
      ),
    ),
    /** Every session whose bill is off by more than 3 %, with what put it off most. */
    off: sessions
      .map((session) => ({
        id: session.id,
        file: session.file,
        costError: costError([session]),
        main: mainCauseOf(session) ?? null,
      }))
      .filter(({ costError: error }) => Math.abs(error) > notable)
      .sort((a, b) => Math.abs(b.costError) - Math.abs(a.costError)),
  };
}

/** How the token counts came about, in the mean of the sessions. */
function meanTokens(sessions: readonly BacktestedSession[]) {
  const reports = sessions.flatMap(({ tokens }) => tokens ?? []);
  const mean = (value: (report: TokenReport) => number) =>
    reports.reduce((sum, report) => sum + value(report), 0) / Math.max(1, reports.length);
  return {
    measured: mean(({ measured }) => measured),
    apportioned: mean(({ apportioned }) => apportioned),
    estimated: mean(({ estimated }) => estimated),
    residual: mean(({ residual }) => residual),
  };
}

/** Sessions that are off by more than this are named with their cause (the error that a check usually allows). */
const notable = 0.03;

type Report = ReturnType<typeof reportOf>;

function pageOf({ pooled, off, edits, tokens, timeless, sessions }: Report, onlyEdits: boolean): PagePart[][] {
  const nameOf = namesIn(sessions);
  const score = onlyEdits ? pooled.edits : pooled.blind;
  const causes = Object.entries(onlyEdits ? pooled.causesOfEdits : pooled.causes)
    .filter(([, count]) => count > 0)
    .map(([cause, count]) => ['', String(count), cause]);
  const scores = [
    ['cache read within 2 tokens', percent(score.readWithin2Tokens)],
    ['within 2 % of the prompt', percent(score.readWithin2Percent)],
    ['within 5 % of the prompt', percent(score.readWithin5Percent)],
    ['bill, pooled', formatPercent(score.costError)],
    [
      'bill of a session',
      `median ${percent(score.medianSessionError)}, 90th percentile ${percent(score.p90SessionError)}`,
    ],
    [
      'token counts',
      `${percent(tokens.measured)} measured, ${percent(tokens.apportioned)} apportioned, ${percent(tokens.estimated)} estimated; an estimate alone is off by ${percent(tokens.residual)}`,
    ],
  ];
  return [
    [
      `Predicted ${formatCounted(score.requests, 'request')}${onlyEdits ? ' whose past had changed' : ''} from earlier requests and times alone; the first request of a session is where it starts from.`,
      ...(timeless > 0 ? [`${timeless} of ${sessions.length} sessions have no times: nothing expires in them.`] : []),
    ],
    [listTable(scores)],
    causes.length > 0 ? ['Why reads differ:', listTable(causes, [1])] : [],
    onlyEdits ? ['Every request whose past had changed:', editsTable(edits, nameOf)] : offParts(off, nameOf),
  ];
}

/** What a session is called: by its file, and by its own name where the file holds several. */
function namesIn(sessions: Report['sessions']): (session: Named) => string {
  const isShared = (file: string) => sessions.filter((session) => session.file === file).length > 1;
  return ({ id, file }) => (isShared(file) ? `${file}: ${id}` : file);
}

type Named = Pick<Report['sessions'][number], 'id' | 'file'>;

function editsTable(edits: Report['edits'], nameOf: (session: Named) => string): TextTable {
  return {
    ...tableOf(edits, [
      labels('session', nameOf),
      numbers('request', ({ request }) => String(request + 1)),
      numbers('prompt', ({ prompt }) => String(prompt)),
      numbers('read', ({ recordedRead }) => String(recordedRead)),
      numbers('predicted', ({ predictedRead }) => String(predictedRead)),
      words('what happened', ({ rule, cause }) => `${rule}${cause ? ` (missed: ${cause})` : ''}`),
    ]),
    drop: [['prompt']],
    whole: '--format json has all',
  };
}

function offParts(off: Report['off'], nameOf: (session: Named) => string): PagePart[] {
  if (off.length === 0) return ['No session is more than 3 % off.'];
  const mostly = ({ main }: Report['off'][number]) =>
    main
      ? `${main.cause}, ${formatPercent(main.costError)}, first of all request ${main.request + 1}`
      : 'nothing was predicted';
  return [
    'Sessions whose bill is more than 3 % off, and what weighs most in it:',
    tableOf(off, [
      numbers('bill', ({ costError: error }) => formatPercent(error)),
      labels('session', nameOf),
      words('mostly', mostly),
    ]),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `3%` or `0.03` as a fraction. */
function fraction(text: string): number {
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text !== '' && Number.isFinite(value) && value >= 0 && (text.endsWith('%') || value <= 1)) return value;
  throw new CtxsimError('out-of-range', `--max-error ${text} is out of range`, 'Write 3% or 0.03.');
}
