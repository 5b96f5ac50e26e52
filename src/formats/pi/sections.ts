import { isDeepStrictEqual } from 'node:util';
import { type JsonLine, parseTime, type Source } from '../../bytes/index.ts';
import { type Entry, type Note, noteUnread, readEntry } from './entries.ts';
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

/** Reads every line once. Lines behind a header that was there before belong to the session that it began. */
export function readSections(source: Source, note: Note): Section[] {
  const headless = new SectionReader(undefined);
  const sections = [headless];
  let current = headless;
  for (const row of source.records()) {
    const { line, value } = row;
    if (!isRecord(value)) note('unknown-line-type', line, 'not an object');
    else if (isHeader(value)) {
      const known = sections.find(({ header }) => header && isSameSession(header, value));
      current = known ?? new SectionReader(value);
      if (known) known.repeatHeader(line, note);
      else sections.push(current);
    } else current.read(value, row, note);
  }
  return sections;
}

function isSameSession(a: JsonRecord, b: JsonRecord): boolean {
  return a.id === b.id && a.timestamp === b.timestamp;
}

/** Collects the lines of one session, each once. */
class SectionReader implements Section {
  readonly header: JsonRecord | undefined;
  readonly entries: Entry[] = [];
  /** By id, or by time where lines have none. */
  readonly #known = new Map<string, Entry[]>();
  /** The header came again: copies of the file may have been joined. */
  #isJoined = false;
  #nextPlace = 1;

  constructor(header: JsonRecord | undefined) {
    this.header = header;
  }

  read(record: JsonRecord, row: JsonLine, note: Note): void {
    const entry = readEntry(record, row, this.#nextPlace, note);
    this.#nextPlace += 1;
    const copied = this.#copied(entry, note);
    if (!copied) {
      this.entries.push(entry);
      noteUnread(entry, record, note);
    } else if (this.#isJoined) this.#nextPlace = copied.place + 1;
  }

  /** The line that this one says again; one that only has the id of another says something of its own. */
  #copied(entry: Entry, note: Note): Entry | undefined {
    const key = entry.id === undefined ? `time:${entry.time}` : `id:${entry.id}`;
    const known = this.#known.get(key) ?? [];
    this.#known.set(key, [...known, entry]);
    // Without ids, and within one copy of the file, equal lines may both be meant.
    if (known.length === 0 || (entry.id === undefined && !this.#isJoined)) return undefined;
    const copied = known.find(({ kind, body }) => kind === entry.kind && isDeepStrictEqual(body, entry.body));
    if (copied) note('repeated-line', entry.line);
    else if (entry.id !== undefined) note('repeated-id', entry.line);
    return copied;
  }

  repeatHeader(line: number, note: Note): void {
    note('repeated-header', line);
    this.#isJoined = true;
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
