import { type Block, type Session, withHiddenBlocks } from '../session/index.ts';
import { apportion, total } from './apportion.ts';
import { Expectations, leastInput } from './expectations.ts';
import { hiddenBlock, hiddenEntry, hiddenOf, openingOf } from './hidden-context.ts';
import { recordedPrompt } from './recorded-usage.ts';
import { type Entry, type RecordedEdit, RecordedView } from './recorded-view.ts';
import { type Step, segmentSteps } from './steps.ts';

/** What is known of the recording beside its numbers. */
export interface FitOptions {
  /** The part of the hidden opening context that other sessions keep warm, tokens; 0 where nothing shows it. */
  readonly systemTokens?: number;
  /** By request: 1 where its model drops the thinking of earlier turns. */
  readonly strips?: Uint8Array;
  /** A prompt that shrank a little lost what came last. */
  readonly takesNewest?: boolean;
}

/** Counts that agree with what the provider recorded. */
export interface Fit {
  /** The session with its hidden context as explicit blocks. */
  readonly session: Session;
  readonly blocks: Int32Array;
  readonly edits: readonly RecordedEdit[];
  /** Tokens by how they came about. */
  readonly known: { readonly measured: number; readonly apportioned: number; readonly estimated: number };
  /** Mean distance of the estimate from the recorded growth, as a share of it: what an estimate alone would be off by. */
  readonly residual: number;
  /** Recorded tokens per estimated token. */
  readonly ratio: number;
}

/**
 * Fits the token counts of a session to the prompt sizes that were recorded: what a prompt grew by is shared among the
 * blocks that were appended, in proportion to their estimates, so that the blocks of every request add up to its prompt.
 * Hidden opening context is cut behind the system part, where the recording shows it.
 * Looks only at prompt sizes and at outputs of earlier requests, never at how a prompt was split, and never ahead.
 */
export function fitTokens(session: Session, estimates: Int32Array, outputs: Int32Array, options: FitOptions = {}): Fit {
  const fitter = new Fitter(session, estimates, outputs, options);
  for (let segment = 0; segment < session.segments.length; segment += 1) fitter.runSegment(segment);
  return fitter.result();
}

class Fitter {
  readonly #session: Session;
  readonly #expectations: Expectations;
  readonly #tokens: Int32Array;
  readonly #view = new RecordedView();
  readonly #options: FitOptions;
  readonly #hidden: Block[][] = [];
  readonly #keepsOpening: boolean[] = [];
  readonly #edits: RecordedEdit[] = [];
  readonly #known = { measured: 0, apportioned: 0, estimated: 0 };
  /** Blocks from here on have not entered the context yet. */
  #next = 0;
  /** Thinking that came and went between two recorded prompts. */
  #passed: number[] = [];
  /** Tokens that were dropped since the last recorded prompt. */
  #dropped = 0;

  constructor(session: Session, estimates: Int32Array, outputs: Int32Array, options: FitOptions) {
    this.#session = session;
    this.#options = options;
    this.#expectations = new Expectations(session, estimates, outputs);
    this.#tokens = new Int32Array(estimates.length);
  }

  runSegment(index: number): void {
    const { keeps, firstBlock, firstRequest } = this.#session.segments[index] as Session['segments'][number];
    this.#view.reset(keeps.map((block) => this.#entryOf(block, this.#tokens[block] as number)));
    this.#next = firstBlock;
    this.#dropped = 0;
    let isOpen = false;
    for (const step of segmentSteps(this.#session, index)) {
      const inputFrom = this.#next;
      this.#receive(step, step.request === firstRequest);
      const prompt = recordedPrompt(this.#session.requests[step.request] as Session['requests'][number]);
      // A prompt of no tokens was never sent: its count is a fault of the recording.
      if (prompt > 0) {
        if (isOpen) this.#grow(step.request, prompt, inputFrom);
        else this.#open(index, step.request, prompt);
        this.#dropped = 0;
        isOpen = true;
      }
      this.#answer(step);
    }
    if (!isOpen) this.#keepsOpening[index] = true;
    this.#estimateRest(this.#session.segments[index + 1]?.firstBlock ?? this.#session.blocks.length);
  }

  /** What a request brings enters, and thinking of earlier turns goes where its model drops it. */
  #receive({ request, at, turnStart }: Step, isFirst: boolean): void {
    this.#enter(at);
    if (turnStart !== undefined) this.#strip(request, turnStart);
    // An edit is made before a request comes in, so what goes then has a position still; a reset leaves no time for that.
    if (isFirst) this.#view.close();
  }

  #answer({ request, end, endsTurn }: Step): void {
    this.#view.close();
    this.#enter(end);
    if (endsTurn) this.#strip(request, Number.POSITIVE_INFINITY);
    this.#view.close();
  }

  #enter(end: number): void {
    for (; this.#next < end; this.#next += 1) this.#view.enter(this.#entryOf(this.#next, 0));
  }

  #strip(request: number, before: number): void {
    if (this.#options.strips?.[request] !== 1) return;
    const { waiting, tokens } = this.#view.strip(before);
    this.#passed.push(...waiting);
    this.#dropped += tokens;
  }

  #entryOf(block: number, tokens: number): Entry {
    return { block, kind: this.#session.blocks[block]?.kind, tokens };
  }

  /** The first recorded prompt of a segment: what visible blocks do not explain is hidden context. */
  #open(index: number, request: number, prompt: number): void {
    const openingBlocks = index === 0 ? [] : (this.#hidden[0] ?? []);
    const opening = total(openingBlocks.map(hiddenOf));
    const appended = this.#view.waiting;
    const expected = appended.map((block) => this.#expectations.block(block));
    const visible = total(expected);
    // After a reset the old opening stays, unless the new prompt is smaller.
    const keepsOpening = opening > 0 && prompt - this.#view.total > opening;
    this.#keepsOpening[index] = keepsOpening;
    if (keepsOpening) this.#view.insert('first', openingBlocks.map(hiddenEntry));
    const rest = prompt - this.#view.total - visible;
    // No prompt is made of thinking alone: something unseen stands before it.
    const hidden = this.#view.isAllThinking ? Math.max(1, rest) : rest;
    if (hidden > 0) {
      this.#hidden[index] = keepsOpening
        ? [hiddenBlock('meta', hidden)]
        : openingOf(hidden, this.#options.systemTokens);
      this.#view.insert('last', this.#hidden[index].map(hiddenEntry));
    }
    const room = prompt - this.#view.total;
    if (room < 0) this.#shrink(request, -room);
    this.#size(appended, apportion(Math.max(0, room), expected));
    this.#known.measured += Math.max(0, hidden);
    this.#known.apportioned += Math.max(0, room);
  }

  /** A later prompt of the segment: its growth is shared among what was appended; a prompt that shrank was edited. */
  #grow(index: number, prompt: number, inputFrom: number): void {
    const appended = this.#view.waiting;
    const expected = this.#expected(index, appended);
    const growth = prompt - this.#view.total;
    if (growth < 0 || this.#dropped > 0) {
      const past = appended.filter((block) => block < inputFrom).length;
      this.#replaceReply(index, prompt, appended, expected, past);
      return;
    }
    if (appended.length === 0) {
      if (growth > 0) this.#swell(index, growth);
      return;
    }
    this.#expectations.learn(growth, appended);
    this.#size(appended, this.#expectations.share(index, growth, appended, expected));
    this.#known[appended.length === 1 ? 'measured' : 'apportioned'] += growth;
  }

  /** What the blocks that wait may be expected to hold; thinking that has gone takes its share of the billed reply. */
  #expected(index: number, appended: readonly number[]): number[] {
    const gone = this.#passed;
    const expected = this.#expectations.growth(index, [...gone, ...appended]);
    gone.forEach((block, at) => {
      this.#tokens[block] = expected[at] as number;
    });
    this.#passed = [];
    return expected.slice(gone.length);
  }

  /**
   * Where a growth says nothing, because something also went: the reply stands as it was billed, and the new input has what
   * is left of the prompt. Where too little is left, the past has shrunk. The first `past` of the appended blocks came before
   * the new input.
   */
  #replaceReply(
    index: number,
    prompt: number,
    appended: readonly number[],
    expected: readonly number[],
    past: number,
  ): void {
    this.#size(appended.slice(0, past), expected.slice(0, past));
    const input = appended.slice(past);
    const weights = expected.slice(past);
    const room = prompt - this.#view.total;
    if (room < leastInput * total(weights)) {
      this.#shrink(index, Math.min(this.#view.total, total(weights) - room));
    } else if (input.length === 0) {
      if (room > 0) this.#swell(index, room);
      return;
    }
    const left = prompt - this.#view.total;
    this.#known[room < 0 ? 'estimated' : 'apportioned'] += left;
    this.#size(input, this.#expectations.shareAlike(left, input, weights));
  }

  /** The first of the waiting blocks have their tokens. */
  #size(blocks: readonly number[], tokens: readonly number[]): void {
    blocks.forEach((block, at) => {
      this.#tokens[block] = tokens[at] as number;
    });
    this.#view.size(tokens);
  }

  #shrink(request: number, removed: number): void {
    const edit = this.#view.shrink(removed, this.#options.takesNewest === true);
    if (edit) this.#edits.push({ request, ...edit });
  }

  /** A prompt that grew although nothing was appended: the last block stands for more. */
  #swell(request: number, growth: number): void {
    this.#edits.push({ request, ...this.#view.swell(growth) });
  }

  /** What no recorded prompt covers. */
  #estimateRest(end: number): void {
    this.#enter(end);
    for (const block of this.#view.waiting) {
      this.#tokens[block] = this.#expectations.block(block);
      this.#known.estimated += this.#tokens[block] as number;
    }
    for (const block of this.#passed) this.#tokens[block] = this.#expectations.block(block);
    this.#passed = [];
  }

  result(): Fit {
    const session = withHiddenBlocks(this.#session, this.#hidden, this.#keepsOpening);
    const visible = this.#tokens[Symbol.iterator]();
    const hidden = new Set(this.#hidden.flat());
    const blocks = Int32Array.from(session.blocks, (block) =>
      hidden.has(block) ? hiddenOf(block) : (visible.next().value ?? 0),
    );
    return {
      session,
      blocks,
      edits: this.#edits,
      known: this.#known,
      residual: this.#expectations.residual,
      ratio: this.#expectations.ratio,
    };
  }
}
