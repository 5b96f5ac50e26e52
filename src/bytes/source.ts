/** One parsed line of a transcript, or one row of delimited text as an object by heading. */
export interface JsonLine {
  /** 1-based. */
  readonly line: number;
  readonly value: unknown;
}

/** One transcript as lines. `records()` may be called again; each call reads from the start. */
export interface Source {
  /** As the user named it, for messages: relative paths stay relative, standard input is `-`. */
  readonly path: string;
  /** Every line that is JSON, or every row under a header, in file order; the others are counted as findings. Never holds the whole file as one string. */
  records(): Iterable<JsonLine>;
  /** Where a line stands, of a source that is several files: its lines are numbered through. */
  placeOf?(line: number): { readonly path: string; readonly line: number };
}
