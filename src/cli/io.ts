import { CtxsimError, exitCodes } from '../errors.ts';
import { addFinding, type Finding, isBilledElsewhere } from '../session/index.ts';
import { wrapped } from '../text/index.ts';
import { formatUnbilled } from '../units.ts';

/** The process as the command line sees it; tests pass one of their own. */
export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  cwd(): string;
  /** The result, and nothing else. */
  out(text: string): void;
  /** Everything else as it is: progress, what other programs read. Sentences go through {@link say}. */
  err(text: string): void;
  /** Columns of the terminal that `out` goes to; undefined for a pipe or a file. */
  readonly width: number | undefined;
  /** The same for `err`. */
  readonly errWidth: number | undefined;
  readonly colorOut: boolean;
  readonly stderrIsTerminal: boolean;
  /** Milliseconds since some fixed moment, for progress and nothing else. */
  now(): number;
}

/** Columns of a terminal that does not say how many it has. */
export const usualWidth = 80;

/** The real process. Output to a pipe that was closed is not an error: the reader had enough. */
export function processIo(process: NodeJS.Process, home: string): Io {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = exitCodes.couldNotAnswer;
      if (stream === process.stdout) process.stderr.write(`ctxsim: cannot write the result: ${error.message}\n`);
    });
  }
  const terminal = process.stdout.isTTY === true;
  const widthOf = ({ isTTY, columns }: NodeJS.WriteStream) => (isTTY ? columns || usualWidth : undefined);
  const { NO_COLOR, FORCE_COLOR } = process.env;
  return {
    argv: process.argv.slice(2),
    env: process.env,
    home,
    cwd: () => process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    width: widthOf(process.stdout),
    errWidth: widthOf(process.stderr),
    colorOut: NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== '0' : terminal,
    stderrIsTerminal: process.stderr.isTTY === true && !process.env.CI,
    now: () => performance.now(),
  };
}

/** Says a line or more to whoever runs the command: on a terminal wrapped, in a pipe as it is. */
export function say(io: Io, text: string): void {
  io.err(wrapped(text, io.errWidth));
}

/** Prints an error in the words of the user, or a bug with its stack; returns the exit status. */
export function reportError(io: Io, error: unknown): number {
  if (error instanceof CtxsimError) {
    say(io, `ctxsim: ${error.message}\n`);
    if (error.hint) say(io, `  ${error.hint}\n`);
    return exitCodes.couldNotAnswer;
  }
  say(io, `ctxsim: this is a bug in ctxsim. Please report it with the lines below.\n`);
  io.err(`${error instanceof Error ? error.stack : String(error)}\n`);
  return exitCodes.bug;
}

/** Names what the result does not hold; said even when quiet, because it is an error. */
function reportLeftOut(io: Io, leftOut: readonly CtxsimError[]): void {
  for (const { message, hint } of leftOut) say(io, `left out: ${message}${hint ? `. ${hint}` : ''}\n`);
}

/** Says once, at the end, what was left out and, unless quiet, what was skipped or repaired. */
export function reportFindings(
  io: Io,
  findings: readonly Finding[],
  leftOut: readonly CtxsimError[],
  { verbose = false, quiet = false }: { readonly verbose?: boolean; readonly quiet?: boolean },
): void {
  reportLeftOut(io, leftOut);
  if (quiet || findings.length === 0) return;
  const total = findings.reduce((sum, { count }) => sum + count, 0);
  if (!verbose) {
    const kinds = [...new Set(findings.map(({ kind }) => kind))].join(', ');
    say(io, `${total} ${total === 1 ? 'finding' : 'findings'} while reading (${kinds}); -v lists them.\n`);
    const lost = lostTokens(findings);
    if (lost) say(io, `usage was recorded that could not be placed${formatUnbilled(lost)}; -v says where.\n`);
    return;
  }
  for (const finding of findings) {
    const { kind, detail, count, first } = finding;
    say(io, `${kind}${detail ? ` ${detail}` : ''}: ${count}${formatUnbilled(finding.tokens)}, first at ${first}\n`);
  }
}

/** Tokens that no bill holds at all; those of copies stand in the bill of what they copy. */
function lostTokens(findings: readonly Finding[]): Finding['tokens'] {
  const [first, ...rest] = findings.filter(({ kind, tokens }) => tokens && !isBilledElsewhere(kind));
  return rest.reduce((sum, finding) => addFinding(sum as Finding, finding), first)?.tokens;
}

/** Says what was found, and returns the error that ends a command of which nothing is left: the one reason, or `otherwise`. */
export function nothingLeft(
  io: Io,
  findings: readonly Finding[],
  leftOut: readonly CtxsimError[],
  flags: { readonly verbose?: boolean; readonly quiet?: boolean },
  otherwise: CtxsimError,
): CtxsimError {
  const [only] = leftOut;
  const isOne = only !== undefined && leftOut.length === 1;
  reportFindings(io, findings, isOne ? [] : leftOut, flags);
  if (isOne) return only;
  return only
    ? new CtxsimError(otherwise.code, `all ${leftOut.length} files or sessions were left out`, otherwise.hint)
    : otherwise;
}
