import type { Source } from '../bytes/source.ts';
import type { ColumnMap } from '../column-map.ts';
import type { Findings, Session } from '../session/index.ts';

/** What a format's transcripts hold: it decides which columns and policies make sense. */
export interface Supplies {
  readonly text: boolean;
  readonly times: boolean;
  /** Usage per request: with cache reads and writes, reads only, or none. */
  readonly usage: 'read+write' | 'read' | 'none';
}

/** Keys of provider requests that were met. */
export interface SeenRequests {
  has(key: string): boolean;
  add(key: string): unknown;
}

/** State shared by the files of one run. */
export interface ReadContext {
  readonly findings: Findings;
  /**
   * Keys of provider requests already attributed to an earlier file. A reader that meets one again keeps its blocks as
   * context and drops the request: forks and resumed sessions copy their parent's lines, and were billed once.
   */
  readonly seenRequests: SeenRequests;
  /** Which columns hold what, for formats that are tables; what it does not name goes by its own name. */
  readonly map?: ColumnMap | undefined;
}

/**
 * One transcript format. Readers know nothing of policies or money; they never throw on a bad line, they count a finding
 * (`bytes/` does that for bytes that are no JSON) and go on.
 */
export interface Format {
  readonly name: string;
  readonly title: string;
  readonly supplies: Supplies;
  /** A damaged line makes the file invalid: whoever writes it can mend it, and a bill without that line would be wrong. */
  readonly isStrict?: true;
  /** Tools that the harness ships under these names: the names may stay where every other word is dropped. */
  readonly tools?: readonly string[];
  /** For a format that is a table: what a column may be mapped to. */
  readonly columns?: readonly string[];
  /** True if the first parsed values of a file (at most 20 lines, 64 KiB) look like this format. Never looks at names. */
  sniff(head: readonly unknown[]): boolean;
  /** Where lines name their session: that of the first of these values. The files of one session are read as one. */
  sessionOf?(head: readonly unknown[]): string | undefined;
  /** The sessions of one file, in file order. A file that holds only metadata yields none. */
  read(source: Source, context: ReadContext): Iterable<Session> | AsyncIterable<Session>;
}
