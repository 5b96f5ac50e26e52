import type { Block } from '../../session/index.ts';

/** The blocks that the context holds now, as indexes into the session, through every reset. */
export class View {
  #entries: { readonly index: number; readonly kind: Block['kind'] }[] = [];

  append(index: number, kind: Block['kind']): void {
    this.#entries.push({ index, kind });
  }

  /** Drops every block that is of none of these kinds; returns what stays. */
  keepKinds(...kinds: readonly Block['kind'][]): number[] {
    this.#entries = this.#entries.filter((entry) => kinds.includes(entry.kind));
    return this.#indexes();
  }

  /** Drops the last human turns and everything behind their first prompt; returns what stays. */
  dropTurns(turns: number): number[] {
    const prompts = this.#entries.flatMap((entry, at) => (entry.kind === 'prompt' ? [at] : []));
    const cut = turns === 0 ? undefined : prompts.at(-Math.min(turns, prompts.length));
    if (cut !== undefined) this.#entries = this.#entries.slice(0, cut);
    return this.#indexes();
  }

  #indexes(): number[] {
    return this.#entries.map((entry) => entry.index);
  }
}
