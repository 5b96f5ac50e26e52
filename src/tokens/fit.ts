import { type Block, promptTokens, type Session, withHiddenBlocks } from '../session/index.ts';
import { apportion, total } from './apportion.ts';
import { Expectations, leastInput } from './expectations.ts';
import { type RecordedEdit, RecordedView } from './recorded-view.ts';

/** What is known of the recording beside its numbers. */
export interface FitOptions {
  /** The part of the hidden opening context that other sessions keep warm, tokens; 0 where nothing shows it. */
  readonly systemTokens?: number;
  /** The model drops the thinking of earlier turns. */
  readonly stripsThinking?: boolean;
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
  readonly #systemTokens: number;
  readonly #stripsThinking: boolean;
  readonly #hidden: Block[][] = [];
  readonly #keepsOpening: boolean[] = [];
  readonly #edits: RecordedEdit[] = [];
  readonly #known = { measured: 0, apportioned: 0, estimated: 0 };
  /** Blocks from here on have entered no fitted prompt yet. */
  #pending = 0;
  /** The last request that was fitted. */
  #lastFitted = -1;

  constructor(session: Session, estimates: Int32Array, outputs: Int32Array, options: FitOptions) {
    this.#session = session;
    this.#systemTokens = options.systemTokens ?? 0;
    this.#stripsThinking = options.stripsThinking ?? false;
    this.#expectations = new Expectations(session, estimates, outputs);
    this.#tokens = new Int32Array(estimates.length);
  }

  runSegment(index: number): void {
    const segment = this.#session.segments[index] as Session['segments'][number];
    const next = this.#session.segments[index + 1];
    this.#pending = segment.firstBlock;
    let isOpen = false;
    for (let at = segment.firstRequest; at < (next?.firstRequest ?? this.#session.requests.length); at += 1) {
      const request = this.#session.requests[at] as Session['requests'][number];
      const prompt = request.usage ? promptTokens(request.usage) : 0;
      // A prompt of no tokens was never sent: its count is a fault of the recording.
      if (prompt === 0) continue;
      if (isOpen) this.#grow(at, prompt);
      else this.#open(index, at, prompt);
      this.#lastFitted = at;
      isOpen = true;
    }
    if (!isOpen) this.#keepsOpening[index] = true;
    this.#estimateRest(next?.firstBlock ?? this.#session.blocks.length);
  }

  /** The first recorded prompt of a segment: what visible blocks do not explain is hidden context. */
  #open(index: number, request: number, prompt: number): void {
    const { at } = this.#session.requests[request] as Session['requests'][number];
    const { keeps } = this.#session.segments[index] as Session['segments'][number];
    const openingBlocks = index === 0 ? [] : (this.#hidden[0] ?? []);
    const opening = total(openingBlocks.map(hiddenOf));
    const kept = keeps.reduce((sum, block) => sum + (this.#tokens[block] as number), 0);
    const appended = this.#appendedTo(request, at);
    const expected = appended.map((block) => this.#expectations.block(block));
    const visible = total(expected);
    // After a reset the old opening stays, unless the new prompt is smaller.
    const keepsOpening = opening > 0 && prompt - kept > opening;
    this.#keepsOpening[index] = keepsOpening;
    const room = prompt - kept - (keepsOpening ? opening : 0);
    const rest = room - visible;
    this.#view.reset([
      ...(keepsOpening ? openingBlocks.map(hiddenOf) : []),
      ...keeps.map((block) => this.#tokens[block] as number),
    ]);
    if (room < 0) this.#shrink(request, -room);
    if (rest > 0) {
      this.#hidden[index] = keepsOpening ? [hiddenBlock('meta', rest)] : this.#cutOpening(rest);
      for (const block of this.#hidden[index]) this.#view.append(hiddenOf(block), block.kind);
      this.#assign(appended, expected);
    } else {
      this.#assign(appended, apportion(Math.max(0, room), expected));
    }
    this.#known.measured += Math.max(0, rest);
    this.#known.apportioned += Math.min(visible, Math.max(0, room));
    this.#pending = at;
  }

  /** Hidden context as the system part, up to where a cached prefix was seen to end, and what follows it. */
  #cutOpening(tokens: number): Block[] {
    const system = this.#systemTokens;
    if (system <= 0 || system >= tokens) return [hiddenBlock('system', tokens)];
    return [hiddenBlock('system', system), hiddenBlock('meta', tokens - system)];
  }

  /** A later prompt of the segment: its growth is shared among what was appended; a prompt that shrank was edited. */
  #grow(index: number, prompt: number): void {
    const { at } = this.#session.requests[index] as Session['requests'][number];
    const appended = this.#appendedTo(index, at);
    const expected = this.#expectations.growth(index, appended);
    if (this.#stripsThinking && this.#startsTurn(index)) {
      this.#replaceReply(index, prompt, appended, expected, true);
      return;
    }
    const growth = prompt - this.#view.total;
    if (growth < 0) {
      this.#replaceReply(index, prompt, appended, expected, false);
      return;
    }
    this.#pending = at;
    if (appended.length === 0) {
      if (growth > 0) this.#swell(index, growth);
      return;
    }
    this.#expectations.learn(growth, appended);
    this.#assign(appended, this.#expectations.share(index, growth, appended, expected));
    this.#known[appended.length === 1 ? 'measured' : 'apportioned'] += growth;
  }

  /**
   * Where a growth says nothing, because something also went: the reply stands as it was billed, thinking goes if the model
   * drops it, and the new input has what is left of the prompt. Where too little is left, the past has shrunk.
   */
  #replaceReply(
    index: number,
    prompt: number,
    appended: readonly number[],
    expected: readonly number[],
    strips: boolean,
  ): void {
    const replies = appended.filter((block) => this.#expectations.isReplyTo(index - 1, block)).length;
    this.#assign(appended.slice(0, replies), expected.slice(0, replies));
    if (strips) this.#view.stripThinking();
    const input = appended.slice(replies);
    const weights = expected.slice(replies);
    this.#pending = (this.#session.requests[index] as Session['requests'][number]).at;
    const room = prompt - this.#view.total;
    if (room < leastInput * total(weights)) {
      this.#shrink(index, Math.min(this.#view.total, total(weights) - room));
    } else if (input.length === 0) {
      if (room > 0) this.#swell(index, room);
      return;
    }
    const left = prompt - this.#view.total;
    this.#known[room < 0 ? 'estimated' : 'apportioned'] += left;
    this.#assign(input, apportion(left, weights));
  }

  #startsTurn(index: number): boolean {
    return this.#session.requests[index]?.turn !== this.#session.requests[this.#lastFitted]?.turn;
  }

  /** Blocks that enter with a request; thinking of turns before its own came and went in between, if the model drops it. */
  #appendedTo(index: number, at: number): number[] {
    const turn = this.#session.turns[this.#session.requests[index]?.turn ?? -1];
    const pending = Array.from({ length: Math.max(0, at - this.#pending) }, (_, block) => this.#pending + block);
    return pending.filter((block) => {
      const isGone =
        this.#stripsThinking && this.#session.blocks[block]?.kind === 'thinking' && block < (turn?.firstBlock ?? 0);
      if (isGone) this.#tokens[block] = this.#expectations.block(block);
      return !isGone;
    });
  }

  #assign(blocks: readonly number[], tokens: readonly number[]): void {
    blocks.forEach((block, at) => {
      this.#tokens[block] = tokens[at] as number;
      this.#view.append(tokens[at] as number, this.#session.blocks[block]?.kind);
    });
  }

  #shrink(request: number, removed: number): void {
    const edit = this.#view.shrink(removed);
    if (edit) this.#edits.push({ request, ...edit });
  }

  /** A prompt that grew although nothing was appended: the last block stands for more. */
  #swell(request: number, growth: number): void {
    this.#edits.push({ request, ...this.#view.swell(growth) });
  }

  /** What no recorded prompt covers. */
  #estimateRest(end: number): void {
    for (let block = this.#pending; block < end; block += 1) {
      this.#tokens[block] = this.#expectations.block(block);
      this.#known.estimated += this.#tokens[block] as number;
    }
    this.#pending = end;
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

function hiddenBlock(kind: Block['kind'], tokens: number): Block {
  return { kind, size: { chars: 0, lines: 0, tokens: 0 }, hiddenTokens: tokens };
}

function hiddenOf(block: Block): number {
  return block.hiddenTokens ?? 0;
}
