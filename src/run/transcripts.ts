import {
  type Input,
  isStoredResult,
  joinSources,
  laterStates,
  openFile,
  openStdin,
  parseTime,
  type Source,
} from '../bytes/index.ts';
import { CtxsimError } from '../errors.ts';
import type { Format } from '../formats/format.ts';
import { detectFormat, formats } from '../formats/index.ts';
import { Findings } from '../session/index.ts';

/** What is read as one: a file, or all the files that hold lines of one session; or why one cannot be read. */
export type Transcript = {
  readonly path: string;
  /** How many inputs it is. */
  readonly inputs: number;
  /** Of these files alone: what is wrong with them decides whether they are billed. */
  readonly findings: Findings;
  /** Findings that lines of the other files give when they are read. */
  readonly others: readonly Findings[];
  /** A longer copy of it, which is read before it; if that can be billed, this is not read. */
  readonly laterState: string | undefined;
} & ({ readonly source: Source; readonly format: Format } | { readonly error: CtxsimError });

/** At most this many records decide the format. */
const sniffedRecords = 20;

/** An input that was looked into. */
type Opened = Transcript & {
  /** Inputs with the same hold the same session. */
  readonly session: string | undefined;
  readonly start: number;
};

/**
 * Looks into every input and puts together those that hold the same session: its sub-agents, and copies of it that were kept
 * at several moments. Each stands where the first of its inputs stood.
 */
export function openTranscripts(inputs: readonly Input[], forced: Format | undefined): Transcript[] {
  const later = laterStates(inputs);
  const together = new Map<string, Opened[]>();
  const all: Opened[][] = [];
  for (const input of longestFirst(inputs, later)) {
    const opened = openInput(input, forced, later.get(input)?.path);
    const known = opened.session === undefined ? undefined : together.get(opened.session);
    if (known) known.push(opened);
    else {
      const group = [opened];
      all.push(group);
      if (opened.session !== undefined) together.set(opened.session, group);
    }
  }
  return all.map(joined);
}

/** The longest of several states stands where the first of them stood. */
function longestFirst(inputs: readonly Input[], later: ReadonlyMap<Input, Input>): Set<Input> {
  return new Set(inputs.flatMap((input) => [later.get(input) ?? input, input]));
}

function openInput(input: Input, forced: Format | undefined, laterState: string | undefined): Opened {
  const { path } = input;
  const findings = new Findings();
  const facts = { path, inputs: 1, findings, others: [], laterState };
  try {
    if (isStoredResult(input.file))
      throw new CtxsimError(
        'stored-result',
        `${path} is a result, no transcript`,
        `Show it with: ctxsim report ${path}`,
      );
    const source = path === '-' ? openStdin(findings) : openFile(path, findings, { file: input.file });
    const head = headOf(source);
    const format = forced ?? detectFormat(head, path, formats);
    const id = format.sessionOf?.(head);
    // A state that may not be read at all stands alone.
    const session = id === undefined || laterState !== undefined ? undefined : `${format.name} ${id}`;
    return { ...facts, source, format, session, start: startOf(head) };
  } catch (error) {
    if (!(error instanceof CtxsimError)) throw error;
    return { ...facts, error, session: undefined, start: 0 };
  }
}

/** The parts of a session in the order in which they begin, whatever their files are called. */
function joined(group: readonly Opened[]): Transcript {
  const [first] = group as [Opened];
  if ('error' in first || group.length === 1) return first;
  const inOrder = group.toSorted((a, b) => a.start - b.start);
  const sources = inOrder.flatMap((it) => ('source' in it ? [it.source] : [])) as [Source, ...Source[]];
  const others = group.slice(1).map(({ findings }) => findings);
  return { ...first, inputs: group.length, others, source: joinSources(sources) };
}

/** The first records, if the file begins with any: a text that only quotes some further down is no transcript. */
function headOf(source: Source): unknown[] {
  const head: unknown[] = [];
  for (const { line, value } of source.records()) {
    if (head.length === 0 && line > sniffedRecords) return [];
    if (head.push(value) === sniffedRecords) break;
  }
  return head;
}

/** The first time in these records; those without any come first. */
function startOf(head: readonly unknown[]): number {
  for (const value of head) {
    const time =
      typeof value === 'object' && value !== null && 'timestamp' in value ? parseTime(value.timestamp) : undefined;
    if (time !== undefined) return time;
  }
  return 0;
}
