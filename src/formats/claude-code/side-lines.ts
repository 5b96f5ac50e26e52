import { type Entry, isReset, isTalk, type Tree } from './entries.ts';
import { blocksOf } from './merge.ts';
import { textField } from './records.ts';

/** What is known of the lines beside their place in the tree. */
export interface Known {
  isPrompt(entry: Entry): boolean;
  /** The response that an answer's line belongs to. */
  readonly responses: ReadonlyMap<Entry, unknown>;
}

/**
 * Adds to the path what a walk along parents misses: the other lines of a response, results of parallel calls, a reply beside
 * the hook line that became the parent of what follows, and attachments at the end of such side lines.
 */
export function addSideLines(entries: readonly Entry[], tree: Tree, path: Set<Entry>, known: Known): Set<Entry> {
  const side = new SideLines(entries, tree, path, known);
  for (let grew = true; grew; ) {
    grew = false;
    for (const entry of entries) {
      if (path.has(entry) || isReset(entry) || !side.belongs(entry)) continue;
      side.add(entry);
      grew = true;
    }
  }
  return path;
}

class SideLines {
  #tree: Tree;
  #path: Set<Entry>;
  /** Lines with a person's prompt, or any message, at or below them. */
  #withPrompt: ReadonlySet<Entry>;
  #withTalk: ReadonlySet<Entry>;
  #responseOf: ReadonlyMap<Entry, unknown>;
  #responses = new Set<unknown>();
  #calls = new Set<string>();
  /** Of a line on the path, the place of its last child on the path that is no answer. */
  #lastChild = new Map<Entry, number>();
  /** Replies that stand beside the path, and what hangs on them. */
  #beside = new Set<Entry>();

  constructor(entries: readonly Entry[], tree: Tree, path: Set<Entry>, known: Known) {
    this.#responseOf = known.responses;
    this.#tree = tree;
    this.#path = path;
    this.#withPrompt = markUp(
      entries.filter((entry) => known.isPrompt(entry)),
      tree,
    );
    this.#withTalk = markUp(entries.filter(isTalk), tree);
    for (const entry of path) {
      this.#learn(entry);
      const parent = this.#parent(entry);
      if (!parent || entry.kind === 'assistant') continue;
      this.#lastChild.set(parent, Math.max(this.#lastChild.get(parent) ?? -1, this.#place(entry)));
    }
  }

  belongs(entry: Entry): boolean {
    const parent = this.#parent(entry);
    switch (entry.kind) {
      case 'attachment':
        return parent !== undefined && this.#path.has(parent) && !this.#withTalk.has(entry);
      case 'assistant':
        return this.#isOfKnownResponse(entry) || this.#isBeside(entry, parent);
      default:
        return this.#answersKnownCall(entry) || this.#followsBeside(entry, parent);
    }
  }

  add(entry: Entry): void {
    const parent = this.#parent(entry);
    this.#path.add(entry);
    this.#learn(entry);
    if (this.#followsBeside(entry, parent) || this.#isBeside(entry, parent)) this.#beside.add(entry);
  }

  #isOfKnownResponse(entry: Entry): boolean {
    const response = this.#responseOf.get(entry);
    return response !== undefined && this.#responses.has(response);
  }

  #answersKnownCall({ kind, body }: Entry): boolean {
    if (kind !== 'user') return false;
    return blocksOf(body).some((block) => {
      const id = textField(block, 'tool_use_id');
      return id !== undefined && this.#calls.has(id);
    });
  }

  /** A second answer beside a first one replaces it; an answer beside another kind of line was delivered. */
  #isBeside(entry: Entry, parent: Entry | undefined): boolean {
    if (parent === undefined || entry.kind !== 'assistant' || this.#withPrompt.has(entry)) return false;
    if (this.#beside.has(parent)) return true;
    return this.#path.has(parent) && (this.#lastChild.get(parent) ?? -1) > this.#place(entry);
  }

  #followsBeside(entry: Entry, parent: Entry | undefined): boolean {
    return parent !== undefined && this.#beside.has(parent) && !this.#withPrompt.has(entry);
  }

  #learn(entry: Entry): void {
    if (entry.kind !== 'assistant') return;
    const response = this.#responseOf.get(entry);
    if (response !== undefined) this.#responses.add(response);
    for (const block of blocksOf(entry.body)) {
      const callId = textField(block, 'id');
      if (callId !== undefined) this.#calls.add(callId);
    }
  }

  #parent({ parent }: Entry): Entry | undefined {
    return parent === undefined ? undefined : this.#tree.byUuid.get(parent);
  }

  #place(entry: Entry): number {
    return this.#tree.position.get(entry) ?? 0;
  }
}

/** These lines and all above them. */
function markUp(entries: readonly Entry[], { byUuid }: Tree): Set<Entry> {
  const marked = new Set<Entry>();
  for (const entry of entries) {
    let at: Entry | undefined = entry;
    while (at && !marked.has(at)) {
      marked.add(at);
      at = at.parent === undefined ? undefined : byUuid.get(at.parent);
    }
  }
  return marked;
}
