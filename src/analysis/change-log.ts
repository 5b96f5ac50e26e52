import type { Edit } from '../policies/plan.ts';
import { providerDropsThinking, type View } from '../replay/index.ts';
import type { PartName, RequestTrace } from '../results/index.ts';
import type { Session } from '../session/index.ts';

/** Where edits begin, and what they say of themselves. */
interface Change {
  readonly position: number;
  /** The first block that they touch; -1 where it stands for none of the session. */
  readonly block: number;
  readonly count: number;
  readonly reason: string;
  readonly passes: boolean;
}

/** What was sent so far, and what has changed since the last request. */
export class ChangeLog {
  readonly #session: Session;
  readonly #sent = new Set<number>();
  #segment = -1;
  #isReset = false;
  #first: Change | undefined;
  #count = 0;
  #passed: Change | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  enterSegment(): void {
    this.#segment += 1;
    this.#isReset = this.#segment > 0;
  }

  /** The edits of one plan, before they are made. */
  edited(view: View, edits: readonly Edit[]): void {
    this.#count += edits.length;
    for (const { from, reason, sticky } of edits) {
      const position = view.positionOf(from);
      if (this.#first && this.#first.position <= position) continue;
      this.#first = { position, block: view.originOf(from), count: 0, reason, passes: !sticky };
    }
  }

  /** True for a block of the session, or what stands in its place, that no request has carried yet. */
  isNew(view: View, id: number): boolean {
    const origin = view.originOf(id);
    return origin !== -1 && !this.#sent.has(origin) && !this.#sent.has(id);
  }

  /** What changed the past since the last request. */
  cause(): PartName {
    const change = this.#first ?? this.#passed;
    if (this.#isReset && !this.#first) {
      return { kind: 'resent', cause: 'reset', detail: this.#session.segments[this.#segment]?.reason ?? 'unknown' };
    }
    if (!change) return { kind: 'resent', cause: 'unexplained' };
    if (change.reason === providerDropsThinking) return { kind: 'resent', cause: 'provider-edit' };
    return { kind: 'resent', cause: 'edit', detail: change.reason };
  }

  /** The policy's edits since the last request, for a trace. */
  edit(): RequestTrace['edit'] {
    if (!this.#first || this.#first.reason === providerDropsThinking) return undefined;
    const { block, reason } = this.#first;
    const { turns } = this.#session;
    const turn = turns.findLastIndex(({ firstBlock }) => firstBlock <= block);
    const number = block === -1 ? 0 : block - (turns[turn]?.firstBlock ?? 0) + 1;
    return { turn: turn + 1, block: number, count: this.#count, reason };
  }

  /** A request was sent; from `unchanged` on its view was not that of the request before. */
  sent(view: View, unchanged: number): void {
    for (let at = unchanged; at < view.length; at += 1) {
      const id = view.ids[at] as number;
      this.#sent.add(id);
      const origin = view.originOf(id);
      if (origin !== -1) this.#sent.add(origin);
    }
    this.#passed = this.#first?.passes ? this.#first : undefined;
    this.#first = undefined;
    this.#count = 0;
    this.#isReset = false;
  }
}
