import { findInputs, type Source } from '../bytes/index.ts';
import { type ColumnMap, checkMapKeys } from '../column-map.ts';
import { CtxsimError } from '../errors.ts';
import type { Format, ReadContext } from '../formats/format.ts';
import { FormatParts, formats } from '../formats/index.ts';
import { Findings, type Session } from '../session/index.ts';
import { formatCounted } from '../units.ts';
import { BilledRequests } from './billed-requests.ts';
import { damageOf } from './damage.ts';
import { type Selection, SessionPicker, startOf } from './selection.ts';
import { openTranscripts, type Transcript } from './transcripts.ts';

/** What to read. */
export interface ReadOptions {
  /** Files, directories, globs, `-`. */
  readonly paths: readonly string[];
  /** Where relative paths start. */
  readonly cwd: string;
  /** Reads every file as this format instead of looking at its content. */
  readonly inputFormat?: string | undefined;
  /** Which columns hold what, for a format that is a table. */
  readonly map?: ColumnMap | undefined;
  /** Which sessions are wanted; without it all are. */
  readonly selection?: Selection | undefined;
  /** Only those begun at most so many milliseconds before the one that began last. */
  readonly last?: number | undefined;
  readonly findings: Findings;
  /** Called when a file is begun, and once more at the end, for progress. */
  readonly onFile?: (done: number, total: number, path: string) => void;
}

/** One transcript: its sessions in order, or why it could not be read. */
export interface ReadFile {
  readonly path: string;
  readonly format?: Format;
  readonly sessions: readonly Session[];
  /** Faults of lines that a strict format does not allow, and lines that are damaged. */
  readonly invalidRecords: number;
  /** The first of them: its line, and what is wrong there. */
  readonly firstInvalid?: string | undefined;
  readonly error?: CtxsimError;
}

/**
 * Reads every input, one at a time (the files of one session as one); a file that cannot be read is yielded with its error and does not stop the others.
 * @throws CtxsimError when the paths themselves name nothing, or none of their sessions is wanted.
 */
export async function* readFiles(options: ReadOptions): AsyncGenerator<ReadFile> {
  const since = options.last === undefined ? undefined : (await newestStart(options)) - options.last;
  const selection = since === undefined ? options.selection : { ...options.selection, since };
  const picker = selection && new SessionPicker(selection);
  for await (const file of readAll(options)) {
    const sessions = picker ? picker.pick(file.sessions, file.path, options.findings) : file.sessions;
    const isWanted = sessions.length > 0 || file.sessions.length === 0 || file.invalidRecords > 0;
    if (isWanted) yield { ...file, sessions };
  }
  picker?.expectSome();
}

/** When the newest session began. All is read for it, because files do not say. */
async function newestStart(options: ReadOptions): Promise<number> {
  if (options.paths.includes('-'))
    throw new CtxsimError('bad-last', '--last: standard input can be read only once', 'Name a day with --since.');
  let newest = Number.NEGATIVE_INFINITY;
  for await (const { sessions } of readAll({ ...options, findings: new Findings(), onFile: () => {} }))
    for (const session of sessions) newest = Math.max(newest, startOf(session) ?? newest);
  return newest;
}

async function* readAll(options: ReadOptions): AsyncGenerator<ReadFile> {
  const forced = forcedFormat(options);
  const inputs = findInputs(options.paths, options);
  const seenRequests = new BilledRequests();
  try {
    const refused = new Set<string>();
    let done = 0;
    for (const transcript of openTranscripts(inputs, forced)) {
      options.onFile?.(done, inputs.length, transcript.path);
      done += transcript.inputs;
      if (transcript.laterState !== undefined && !refused.has(transcript.laterState)) {
        options.findings.add('earlier-state', transcript.path);
        continue;
      }
      const context = { findings: transcript.findings, seenRequests, map: options.map };
      const files = await readTranscript(transcript, forced !== undefined, context);
      for (const findings of [transcript.findings, ...transcript.others]) options.findings.merge(findings);
      const isRefused = files.some((file) => refusalOf(file) !== undefined);
      if (isRefused) refused.add(transcript.path);
      seenRequests.endFile({ isRefused });
      yield* files;
    }
  } finally {
    // Also where the reader of these stops early, by an error: a line of progress must not stand before it.
    options.onFile?.(inputs.length, inputs.length, '');
  }
}

/** The sessions of each format in it: nearly always of one. */
async function readTranscript(
  transcript: Transcript,
  isForced: boolean,
  context: ReadContext,
): Promise<readonly ReadFile[]> {
  const { path } = transcript;
  if ('error' in transcript) return [{ path, sessions: [], invalidRecords: 0, error: transcript.error }];
  if (isForced) return [await readPart(transcript, context)];
  const parts = new FormatParts(transcript.source, transcript.format, formats);
  const files: ReadFile[] = [];
  for (const part of parts) files.push(await readPart({ path, ...part }, context));
  if (files.length > 1) context.findings.add('mixed-formats', path, undefined, parts.names.join(', '));
  return files;
}

async function readPart(
  { path, source, format }: { readonly path: string; readonly source: Source; readonly format: Format },
  context: ReadContext,
): Promise<ReadFile> {
  const { findings } = context;
  try {
    const sessions: Session[] = [];
    for await (const session of format.read(source, context)) {
      sessions.push(session);
      const back = stepsBack(session);
      if (back > 0) findings.add('time-goes-back', path, undefined, '', back);
    }
    const damage = damageOf(findings, format.isStrict === true);
    return { path, format, sessions, invalidRecords: damage.count, firstInvalid: damage.first };
  } catch (error) {
    if (!(error instanceof CtxsimError)) throw error;
    return { path, sessions: [], invalidRecords: 0, error };
  }
}

/** Requests that start before the one that they follow: the clock was set, or the order is wrong; no time passes there. */
function stepsBack({ requests }: Session): number {
  return requests.filter(({ time }, at) => (time ?? Number.POSITIVE_INFINITY) < (requests[at - 1]?.time ?? 0)).length;
}

/** Why nothing of a file may be priced, if so: it could not be read, or lines of it are lost and its bill would be wrong. */
export function refusalOf({ path, error, invalidRecords, firstInvalid }: ReadFile): CtxsimError | undefined {
  if (error || invalidRecords === 0) return error;
  return new CtxsimError(
    'invalid-native',
    `${path}: ${formatCounted(invalidRecords, 'invalid record')} of the native format, so its bill would be wrong; first ${firstInvalid}`,
    `See them all with: ctxsim inspect -v ${path}`,
  );
}

/** The format that the user named; a map without a format means the one that is a table. */
function forcedFormat({ inputFormat, map }: ReadOptions): Format | undefined {
  const named = inputFormat === undefined ? undefined : formats.get(inputFormat);
  if (map === undefined) return named;
  const tables = formats.all.filter(({ columns }) => columns !== undefined);
  const format = named ?? tables[0];
  if (format?.columns) checkMapKeys(Object.keys(map), format.columns);
  else
    throw new CtxsimError(
      'bad-map',
      `--map: ${format?.name} has no columns`,
      `Formats that have: ${tables.map(({ name }) => name).join(', ')}.`,
    );
  return format;
}

/** The files that can be billed; why the others cannot is added to `leftOut`. */
export async function* billableFiles(read: ReadOptions, leftOut: CtxsimError[]): AsyncGenerator<ReadFile> {
  for await (const file of readFiles(read)) {
    const refusal = refusalOf(file);
    if (refusal) leftOut.push(refusal);
    else yield file;
  }
}
