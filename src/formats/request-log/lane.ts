import { type BlockKind, type Session, SessionBuilder } from '../../session/index.ts';
import type { LogRow } from './rows.ts';

/** The requests of one session while its context only grows. */
export class Lane {
  readonly #builder = new SessionBuilder();
  readonly #id: string;
  readonly #model: string | undefined;
  readonly #warm: number;
  #last: LogRow;
  #rows = 0;

  constructor(id: string, first: LogRow) {
    this.#id = id;
    this.#model = first.model;
    this.#warm = Math.min(first.warm, first.prompt);
    this.#last = first;
    // The opening context stands before the first turn: nobody knows what in it could be left out.
    const opening = this.#warm > 0 ? this.#warm : first.prompt;
    this.#block('system', opening);
    if (first.prompt > opening) this.#block('meta', first.prompt - opening);
    this.#builder.turn();
    this.#request(first);
  }

  /** Requests that no earlier file has. */
  get requestCount(): number {
    return this.#builder.requestCount;
  }

  /** What the context grew by is the reply before it, and then what the request brought. */
  add(row: LogRow): void {
    const growth = row.prompt - this.#last.prompt;
    const reply = Math.min(this.#last.output, growth);
    // Where nothing is left beside the reply, the log shows no result: an empty one would count as one of the newest.
    const brings = row.brings === 'result' && growth === reply ? undefined : row.brings;
    const isResult = brings === 'result';
    const callId = isResult ? `call-${this.#rows}` : undefined;
    this.#block(isResult ? 'call' : 'reply', reply, callId);
    if (row.startsTurn) this.#builder.turn();
    if (brings !== undefined) this.#block(brings, growth - reply, callId);
    this.#last = row;
    this.#request(row);
  }

  build(): Session {
    this.#block('reply', this.#last.output);
    return this.#builder.build({
      id: this.#id,
      ...(this.#model === undefined ? {} : { model: this.#model }),
      content: 'sizes',
      tokenizer: 'model',
      ...(this.#warm > 0 ? { warmBlocks: 1 } : {}),
    });
  }

  #block(kind: BlockKind, tokens: number, callId?: string): void {
    // Without a size for its stub, a policy goes by tokens and not by characters, which nobody knows.
    this.#builder.block({ kind, size: { chars: 0, lines: 0, tokens }, ...(callId === undefined ? {} : { callId }) });
  }

  #request({ time, model, usage, prompt, output, isCopy }: LogRow): void {
    this.#rows += 1;
    if (isCopy) {
      this.#builder.endOutput();
      return;
    }
    this.#builder.request({
      ...(time === undefined ? {} : { time }),
      ...(model === undefined ? {} : { model }),
      // A reply may be longer than what the next prompt shows of it: it is billed as recorded, not as its block counts.
      ...(usage === undefined ? { totals: { prompt, output } } : { usage }),
    });
  }
}
