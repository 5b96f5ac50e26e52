/**
 * Gives every sequence of blocks that was ever a prefix a number of its own, so that two prefixes are equal exactly when
 * their numbers are. A tree of blocks in flat arrays: appending to a new prefix is three writes, nothing is searched.
 */
export class PrefixTree {
  #firstChild: Int32Array = new Int32Array(1024);
  #nextSibling: Int32Array = new Int32Array(1024);
  #block: Int32Array = new Int32Array(1024);
  /** Node 0 is the empty prefix. */
  #count = 1;

  /** The prefix `parent` with `block` behind it. */
  child(parent: number, block: number): number {
    for (let node = this.#firstChild[parent] as number; node !== 0; node = this.#nextSibling[node] as number) {
      if (this.#block[node] === block) return node;
    }
    const node = this.#count++;
    if (node >= this.#block.length) this.#grow();
    this.#block[node] = block;
    this.#nextSibling[node] = this.#firstChild[parent] as number;
    this.#firstChild[parent] = node;
    return node;
  }

  #grow(): void {
    this.#firstChild = doubled(this.#firstChild);
    this.#nextSibling = doubled(this.#nextSibling);
    this.#block = doubled(this.#block);
  }
}

function doubled(array: Int32Array): Int32Array {
  const copy = new Int32Array(array.length * 2);
  copy.set(array);
  return copy;
}
