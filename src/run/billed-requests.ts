import type { SeenRequests } from '../formats/format.ts';

/** The requests of a run: those of a file count as seen by the files behind it once it is known that the file is billed. */
export class BilledRequests implements SeenRequests {
  readonly #billed = new Set<string>();
  #file = new Set<string>();

  has(key: string): boolean {
    return this.#file.has(key) || this.#billed.has(key);
  }

  add(key: string): void {
    this.#file.add(key);
  }

  /** Ends a file; the requests of one that is refused may still be billed elsewhere. */
  endFile({ isRefused }: { readonly isRefused: boolean }): void {
    if (!isRefused) for (const key of this.#file) this.#billed.add(key);
    this.#file = new Set();
  }
}
