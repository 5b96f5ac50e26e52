import { type BacktestSession, causesOf, costError, eventsOf, scoreOf } from '../../analysis/index.ts';
import { CtxsimError, exitCodes } from '../../errors.ts';
import { backtestFiles } from '../../run/index.ts';
import { promptTokens } from '../../session/index.ts';
import { formatCounted, formatPercent } from '../../units.ts';
import { type InputFlags, readOptions } from '../inputs.ts';
import { type Io, nothingLeft, reportFindings } from '../io.ts';
import { openPriceBook, type PriceFlags } from '../price-book.ts';

interface BacktestFlags extends InputFlags, PriceFlags {
  readonly only?: 'edits';
  readonly maxError?: string;
  readonly format: 'table' | 'json';
}

/** `ctxsim backtest`: predicted against recorded usage, with the error; with --max-error a check. */
export async function backtest(io: Io, paths: readonly string[], flags: BacktestFlags): Promise<number> {
  const limit = flags.maxError === undefined ? undefined : fraction(flags.maxError);
  const read = readOptions(io, paths, flags);
  const { sessions, leftOut } = await backtestFiles(read, await openPriceBook(io, flags));
  const findings = read.findings.list();
  if (sessions.length === 0) throw nothingLeft(io, findings, leftOut, flags, nothingToBacktest());
  const report = reportOf(sessions);
  io.out(flags.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : textOf(report, flags.only === 'edits'));
  reportFindings(io, findings, leftOut, flags);
  const { costError: error } = flags.only === 'edits' ? report.pooled.edits : report.pooled.blind;
  if (limit === undefined || Math.abs(error) <= limit) return exitCodes.done;
  io.err(`check failed: the pooled bill is off by ${formatPercent(error)}, more than --max-error ${flags.maxError}\n`);
  return exitCodes.checkFailed;
}

function nothingToBacktest(): CtxsimError {
  return new CtxsimError(
    'nothing-to-backtest',
    'no session has recorded usage for at least two requests',
    'Claude Code, Codex and pi record it; see what a file holds with: ctxsim inspect PATH',
  );
}

function reportOf(sessions: readonly BacktestSession[]) {
  return {
    schema: 'ctxsim.backtest/1' as const,
    timeless: sessions.filter(({ hasTimes }) => !hasTimes).length,
    pooled: {
      blind: scoreOf(sessions, () => true),
      edits: scoreOf(sessions, ({ isEdit }) => isEdit),
      causes: causesOf(sessions),
      events: eventsOf(sessions),
    },
    sessions: sessions.map((session) => ({
      id: session.id,
      file: session.file,
      model: session.model,
      blind: scoreOf([session], () => true),
      edits: scoreOf([session], ({ isEdit }) => isEdit),
      causes: causesOf([session]),
      events: eventsOf([session]),
    })),
    edits: sessions.flatMap(({ file, requests }) =>
      requests.flatMap(({ isEdit, request, predicted, recorded, cause }) =>
        isEdit
          ? [
              {
                file,
                request,
                prompt: promptTokens(recorded),
                predictedRead: predicted.cacheRead,
                recordedRead: recorded.cacheRead,
                cause: cause ?? null,
              },
            ]
          : [],
      ),
    ),
    worst: sessions
      .map((session) => ({ file: session.file, costError: costError([session]) }))
      .sort((a, b) => Math.abs(b.costError) - Math.abs(a.costError))
      .slice(0, 10),
  };
}

type Report = ReturnType<typeof reportOf>;

function textOf({ pooled, worst, edits, timeless, sessions }: Report, onlyEdits: boolean): string {
  const score = onlyEdits ? pooled.edits : pooled.blind;
  const causes = Object.entries(pooled.causes)
    .filter(([, count]) => count > 0)
    .map(([cause, count]) => `  ${String(count).padStart(6)}  ${cause}`);
  const lines = [
    `Predicted ${formatCounted(score.requests, 'request')}${onlyEdits ? ' whose past had changed' : ''} from earlier requests and times alone; the first request of a session is where it starts from.`,
    ...(timeless > 0 ? [`${timeless} of ${sessions.length} sessions have no times: nothing expires in them.`] : []),
    '',
    `cache read within 2 tokens   ${percent(score.readWithin2Tokens)}`,
    `within 2 % of the prompt     ${percent(score.readWithin2Percent)}`,
    `within 5 % of the prompt     ${percent(score.readWithin5Percent)}`,
    `bill, pooled                 ${formatPercent(score.costError)}`,
    `bill of a session            median ${percent(score.medianSessionError)}, 90th percentile ${percent(score.p90SessionError)}`,
    '',
    ...(causes.length > 0 ? ['Why reads differ:', ...causes, ''] : []),
    ...(onlyEdits
      ? ['Every request whose past had changed:', ...edits.map(editLine)]
      : [
          'Sessions that are furthest off:',
          ...worst.map(({ file, costError: error }) => `  ${formatPercent(error).padStart(8)}  ${file}`),
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function editLine({ file, request, prompt, predictedRead, recordedRead, cause }: Report['edits'][number]): string {
  return `  ${file} request ${request + 1}: prompt ${prompt}, read ${recordedRead}, predicted ${predictedRead}${cause ? ` (${cause})` : ''}`;
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
