import type { Edit } from '../policies/plan.ts';
import { checkPairs } from './pairs.ts';
import type { Moves, View } from './view.ts';

/** Applies the edits of plans to the view: those that stay, and those that are for the coming request only. */
export class LaneEdits {
  /** Edits that changed a request. */
  count = 0;
  readonly #view: View;
  readonly #pair: Int32Array;
  readonly #cutCaches: (moves: Moves) => void;
  /** Edits for the coming request only, plan by plan, and beside each plan how to take it back. */
  #passing: (readonly Edit[])[] = [];
  #undos: ReturnType<View['apply']>[] = [];

  /** `cutCaches` is told of edits that the provider makes in its cache as well. */
  constructor(view: View, pair: Int32Array, cutCaches: (moves: Moves) => void) {
    this.#view = view;
    this.#pair = pair;
    this.#cutCaches = cutCaches;
  }

  /** Applies one plan's edits; returns the first position at which something changed for good. */
  apply(edits: readonly Edit[]): number {
    if (edits.length === 0) return Number.POSITIVE_INFINITY;
    checkPairs(edits, this.#view, this.#pair);
    this.count += edits.length;
    const passing = edits.filter((edit) => !edit.sticky);
    const sticky = passing.length === 0 ? edits : edits.filter((edit) => edit.sticky);
    const from = sticky.length > 0 ? this.#applyUnderneath(sticky) : Number.POSITIVE_INFINITY;
    if (passing.length > 0) {
      this.#passing.push(passing);
      this.#undos.push(this.#view.apply(passing));
    }
    return from;
  }

  /** What passes lies over what stays: it is lifted, so that taking it back later does not bring the past back too. */
  #applyUnderneath(edits: readonly Edit[]): number {
    if (this.#passing.length === 0) return this.#applySticky(edits);
    this.lift();
    const from = this.#applySticky(edits.map((edit) => this.#onOriginals(edit)));
    this.lay();
    return from;
  }

  /** Takes what passes off the view, until `lay`. */
  lift(): void {
    if (this.#undos.length === 0) return;
    for (let undo = this.#undos.pop(); undo; undo = this.#undos.pop()) this.#view.restore(undo);
  }

  /** Lays what passes over the view again, as far as it still finds its blocks. */
  lay(): void {
    if (this.#passing.length === 0) return;
    const inView = (edit: Edit) => this.#view.positionOf(edit.from) !== -1 && this.#view.positionOf(edit.to) !== -1;
    for (const edits of this.#passing) this.#undos.push(this.#view.apply(edits.filter(inView)));
  }

  /** The request has been sent: what was for it only is gone. */
  endRequest(): void {
    if (this.#passing.length === 0) return;
    this.lift();
    this.#passing = [];
  }

  #applySticky(edits: readonly Edit[]): number {
    const cuts = edits.filter((edit) => edit.keepsCache);
    if (cuts.length === 0) return this.#view.apply(edits).from;
    const rewrites = edits.filter((edit) => !edit.keepsCache);
    const from = rewrites.length > 0 ? this.#view.apply(rewrites).from : Number.POSITIVE_INFINITY;
    const moves = this.#view.cut(cuts);
    this.#cutCaches(moves);
    return Math.min(from, moves.from);
  }

  /** A policy may have named a stub that is there for this request only. */
  #onOriginals(edit: Edit): Edit {
    const original = (id: number) => (this.#view.positionOf(id) === -1 ? this.#view.originOf(id) : id);
    return { ...edit, from: original(edit.from), to: original(edit.to) };
  }
}
