import { isDeepStrictEqual } from 'node:util';
import { type JsonLine, parseTime, type Source } from '../../bytes/index.ts';
import { type Entry, type Note, readEntry } from './entries.ts';
import { firstText, isRecord, type JsonRecord, textOf } from './records.ts';

/** The lines of one session; a file holds one, or several behind each other where files were joined. */
export interface Section {
  readonly header: JsonRecord | undefined;
  readonly entries: readonly Entry[];
}

/** All of it, what the model said without the calls that never ran, or nothing. */
export type FailedAnswersKeep = 'all' | 'words' | 'nothing';

/** What the header of a session says. */
export interface Header {
  readonly id: string | undefined;
  /** The session that this one was forked from, or whose folder it lies in. */
  readonly parent: string | undefined;
  /** It began with a copy of another session, or may have. */
  readonly isFork: boolean;
  /** It lies in the folder of another session: an agent gave it its task. */
  readonly isSubAgent: boolean;
  readonly created: number | undefined;
  readonly project: string | undefined;
  /** What of an answer that was aborted or broke off is sent again with the next prompt. */
  readonly failedAnswersKeep: FailedAnswersKeep;
}

/** True if a parsed line can only be the header of a pi session. */
export function isHeader(value: unknown): value is JsonRecord {
  return (
    isRecord(value) &&
    value.type === 'session' &&
    textOf(value.id) !== undefined &&
    textOf(value.cwd) !== undefined &&
    value.timestamp !== undefined &&
    value.format === undefined
  );
}

/** Reads every line once. */
export function readSections(source: Source, note: Note): Section[] {
  const sections: SectionReader[] = [];
  let current = new SectionReader(undefined);
  for (const row of source.records()) {
    const { line, value } = row;
    if (!isRecord(value)) note('unknown-line-type', line, 'not an object');
    else if (!isHeader(value)) current.read(value, row, note);
    else if (value.id === current.header?.id) current.repeatHeader(line, note);
    else {
      sections.push(current);
      current = new SectionReader(value);
    }
  }
  return [...sections, current];
}

/** Collects the lines of one session, each once. */
class SectionReader implements Section {
  readonly header: JsonRecord | undefined;
  readonly entries: Entry[] = [];
  readonly #byId = new Map<string, Entry[]>();
  #nextPlace = 1;

  constructor(header: JsonRecord | undefined) {
    this.header = header;
  }

  read(record: JsonRecord, row: JsonLine, note: Note): void {
    const entry = readEntry(record, row, this.#nextPlace, note);
    this.#nextPlace += 1;
    if (!this.#isRepeated(entry, note)) this.entries.push(entry);
  }

  /** True for a line that was written before; one that only has the id of another says something of its own. */
  #isRepeated(entry: Entry, note: Note): boolean {
    if (entry.id === undefined) return false;
    const known = this.#byId.get(entry.id) ?? [];
    this.#byId.set(entry.id, [...known, entry]);
    if (known.length === 0) return false;
    const isCopy = known.some(({ kind, body }) => kind === entry.kind && isDeepStrictEqual(body, entry.body));
    note(isCopy ? 'repeated-line' : 'repeated-id', entry.line);
    return isCopy;
  }

  repeatHeader(line: number, note: Note): void {
    note('repeated-header', line);
    this.#nextPlace += 1;
  }
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The name of a session's file, or of the folder that its sub-agents have. */
const namedAfter = new RegExp(`_(${uuid})(?:\\.jsonl)?$`, 'i');

/** Reads the header; the folder of a file may say whose sub-agent it is. */
export function readHeader(record: JsonRecord | undefined, path: string): Header {
  const origin = firstText(record?.parentSession, record?.branchedFrom);
  const folder = path
    .split(/[\\/]/)
    .slice(0, -1)
    .flatMap((name) => namedAfter.exec(name)?.[1] ?? [])
    .at(-1);
  const id = textOf(record?.id);
  const parent = origin === undefined ? folder : (namedAfter.exec(origin)?.[1] ?? origin);
  return {
    id,
    parent: parent === id ? undefined : parent,
    isFork: origin !== undefined,
    isSubAgent: folder !== undefined && folder !== id,
    created: parseTime(record?.timestamp),
    project: textOf(record?.cwd),
    failedAnswersKeep: failedAnswersKeep(record),
  };
}

/** By the age of the harness: prompt sizes show it in recorded lists; from the third format on, failed answers are skipped. */
function failedAnswersKeep(record: JsonRecord | undefined): FailedAnswersKeep {
  if (typeof record?.version === 'number' && record.version >= 3) return 'nothing';
  // The oldest headers name the model.
  return textOf(record?.modelId) === undefined ? 'all' : 'words';
}
