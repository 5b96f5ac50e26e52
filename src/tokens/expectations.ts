import type { Session } from '../session/index.ts';
import { apportion, total } from './apportion.ts';
import { recordedOutput } from './recorded-usage.ts';

/** The ratio of recorded to estimated growth may not run away on a few odd growths (wide: real ones lie in 0.6 to 1.6). */
const ratioBounds = [0.3, 3] as const;

/** New input that got less than this share of its estimate means that the reply did not enter the context whole. */
export const leastInput = 0.5;

/** A growth of more than so many times its estimate, and so many tokens, holds context that the transcript does not show. */
const mostGrowth = 3;
const mostUnseen = 500;

/** Growths of fewer estimated tokens say little of the ratio. */
const smallestGrowth = 50;

/**
 * What the blocks of a growth may be expected to hold: their estimates, times how far estimates of this session have been off
 * so far. Never looks ahead.
 */
export class Expectations {
  readonly #session: Session;
  readonly #estimates: Int32Array;
  readonly #outputs: Int32Array;
  /** Sums over accepted growths: recorded and estimated tokens, and their distance. */
  #recorded = 0;
  #estimated = 0;
  #distance = 0;

  constructor(session: Session, estimates: Int32Array, outputs: Int32Array) {
    this.#session = session;
    this.#estimates = estimates;
    this.#outputs = outputs;
  }

  /** Mean distance of the estimates from the recorded growths, as a share of these. */
  get residual(): number {
    return this.#recorded > 0 ? this.#distance / this.#recorded : 0;
  }

  /**
   * The growth, shared. The model's own counts are right where they add up to it. A reply whose billed output was recorded enters the context
   * as it was billed, unless the growth has no room for that (the model's rules strip thinking): then everything is shared alike.
   */
  share(index: number, growth: number, appended: readonly number[], expected: readonly number[]): number[] {
    const sizes = appended.map((block) => this.#estimates[block] as number);
    if (this.#session.tokenizer === 'model' && total(sizes) === growth) return sizes;
    const isReply = appended.map((block) => this.isReplyTo(index - 1, block));
    const reply = expected.map((tokens, at) => (isReply[at] ? tokens : 0));
    const input = expected.map((tokens, at) => (isReply[at] ? 0 : tokens));
    const rest = growth - total(reply);
    const hasRoom = total(input) > 0 && rest >= leastInput * total(input);
    const previous = this.#session.requests[index - 1];
    const isBilled = previous !== undefined && recordedOutput(previous) === this.#outputs[index - 1];
    if (growth > mostOf(expected) || !hasRoom || !isBilled) return this.shareAlike(growth, appended, expected);
    const shared = apportion(rest, input);
    return expected.map((_, at) => (isReply[at] ? (reply[at] as number) : (shared[at] as number)));
  }

  /** The tokens in proportion to what was expected, up to what can be seen. */
  shareAlike(tokens: number, blocks: readonly number[], expected: readonly number[]): number[] {
    const most = mostOf(expected);
    if (tokens <= most) return apportion(tokens, expected);
    return this.#withUnseen(tokens - most, blocks, apportion(most, expected));
  }

  /** Context that came unseen goes to a block that no policy takes for a result, so that none is credited with removing it. */
  #withUnseen(unseen: number, appended: readonly number[], shares: readonly number[]): number[] {
    const holder = appended.findIndex((block) => this.#session.blocks[block]?.kind !== 'result');
    return shares.map((tokens, at) => (at === Math.max(0, holder) ? tokens + unseen : tokens));
  }

  /** True for blocks that a request produced. */
  isReplyTo(index: number, block: number): boolean {
    const request = this.#session.requests[index];
    return request !== undefined && block >= request.at && block < request.at + request.outputs;
  }

  /** Estimates of what was appended; the previous reply is known by its billed output. */
  growth(index: number, appended: readonly number[]): number[] {
    const expected = appended.map((block) => this.block(block));
    const isReply = (block: number) => this.isReplyTo(index - 1, block);
    const reply = appended.map((block, at) => (isReply(block) ? (expected[at] as number) : 0));
    const shown = total(reply);
    if (shown === 0) return expected;
    const billed = apportion(this.#outputs[index - 1] as number, reply);
    return expected.map((tokens, at) => (isReply(appended[at] as number) ? (billed[at] as number) : tokens));
  }

  /** Tokens of a block as its session's growths so far let expect. */
  block(block: number): number {
    return Math.round((this.#estimates[block] as number) * this.ratio);
  }

  /** Recorded tokens per estimated token. */
  get ratio(): number {
    if (this.#estimated < smallestGrowth) return 1;
    return Math.min(ratioBounds[1], Math.max(ratioBounds[0], this.#recorded / this.#estimated));
  }

  /** Takes a growth into account for the ones to come. */
  learn(growth: number, appended: readonly number[]): void {
    const estimate = appended.reduce((sum, block) => sum + (this.#estimates[block] as number), 0);
    if (estimate < smallestGrowth || growth < smallestGrowth) return;
    this.#recorded += growth;
    this.#estimated += estimate;
    this.#distance += Math.abs(growth - estimate);
  }
}

/** The most that is taken for the blocks themselves; what comes beyond that came unseen. */
function mostOf(expected: readonly number[]): number {
  return mostGrowth * total(expected) + mostUnseen;
}
