import { CtxsimError, exitCodes } from '../../errors.ts';
import { convertContentFree, convertFiles, knownNames } from '../../run/index.ts';
import type { KnownNames, Session } from '../../session/index.ts';
import { formatCounted } from '../../units.ts';
import { type InputFlags, readOptions } from '../inputs.ts';
import { type Io, nothingLeft, reportFindings, say } from '../io.ts';
import { openSink } from '../session-files.ts';

export interface ConvertFlags extends InputFlags {
  readonly contentFree?: boolean;
  readonly hideTools?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

/** `ctxsim convert`: any readable transcript in the native format, with words or without. */
export async function convert(io: Io, paths: readonly string[], flags: ConvertFlags): Promise<number> {
  if (flags.hideTools && !flags.contentFree)
    throw new CtxsimError(
      'bad-usage',
      '--hide-tools without --content-free',
      'With the words kept, nothing is hidden.',
    );
  const read = readOptions(io, paths, flags);
  const leftOut: CtxsimError[] = [];
  const known = flags.hideTools ? { ...knownNames(), tools: new Set<string>() } : knownNames();
  const sessions = flags.contentFree ? convertContentFree(read, leftOut, known) : convertFiles(read, leftOut);
  const sink = openSink(io, flags.output, flags.force === true);
  const kept = new KeptNames(known);
  let count = 0;
  try {
    for await (const { session, lines } of sessions) {
      sink.add(session.id, `${lines.join('\n')}\n`);
      kept.add(session);
      count += 1;
    }
    if (count === 0)
      throw nothingLeft(
        io,
        read.findings.list(),
        leftOut,
        flags,
        new CtxsimError('no-session', 'no session was found'),
      );
  } catch (error) {
    sink.abandon();
    throw error;
  }
  sink.finish();
  if (!flags.quiet) report(io, count, flags, kept);
  reportFindings(io, read.findings.list(), leftOut, flags);
  return exitCodes.done;
}

function report(io: Io, count: number, flags: ConvertFlags, kept: KeptNames): void {
  if (flags.output !== undefined) say(io, `${formatCounted(count, 'session')} written to ${flags.output}\n`);
  if (flags.contentFree) say(io, `Names that were kept: ${kept.list()}\n`);
}

/** Whoever shares content-free sessions sees which names are in them: those of models are not known beforehand. */
class KeptNames {
  readonly #models = new Set<string>();
  readonly #tools = new Set<string>();
  readonly #known: ReadonlySet<string>;

  constructor({ tools }: KnownNames) {
    this.#known = tools;
  }

  add({ model, requests, abandoned, blocks }: Session): void {
    for (const name of [model, ...[...requests, ...abandoned].map((it) => it.model)]) if (name) this.#models.add(name);
    for (const { tool } of blocks) if (tool !== undefined && this.#known.has(tool)) this.#tools.add(tool);
  }

  list(): string {
    const lists = Object.entries({ models: this.#models, tools: this.#tools });
    return lists.map(([what, names]) => `${what} ${[...names].sort().join(', ') || 'none'}`).join('; ');
  }
}
