/** Which kind of event tells of a prompt; some versions write both for the same one. */
export type Teller = 'event' | 'item';

/** Tells the prompts of a turn apart from second events of the same prompt. */
export class SaidOnce {
  /** By text: how often each kind of event told it. */
  #told = new Map<string, Record<Teller, number>>();
  #ids = new Set<string>();

  startTurn(): void {
    this.#told = new Map();
    this.#ids = new Set();
  }

  /** False for a prompt that an event of the other kind, or of the same id, has told of. */
  isNew(teller: Teller, text: string, id?: string): boolean {
    const key = `${id}\u0000${text}`;
    if (id !== undefined && this.#ids.has(key)) return false;
    if (id !== undefined) this.#ids.add(key);
    const told = this.#told.get(text) ?? { event: 0, item: 0 };
    this.#told.set(text, told);
    told[teller] += 1;
    return told[teller] > told[teller === 'event' ? 'item' : 'event'];
  }
}
