import { type Entry, isReset, isTalk, type Tree } from './entries.ts';
import { blocksOf } from './merge.ts';
import { textField } from './records.ts';

/**
 * Adds to the path what a walk along parents misses: the other lines of a response, results of parallel calls, a reply beside
 * the hook line that became the parent of what follows, and attachments at the end of such side lines.
 */
export function addSideLines(
  entries: readonly Entry[],
  tree: Tree,
  path: Set<Entry>,
  isPrompt: (entry: Entry) => boolean,
): Set<Entry> {
  const side = new SideLines(entries, tree, path, isPrompt);
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
  #responses = new Set<string>();
  #calls = new Set<string>();
  /** Of a line on the path, the place of its last child on the path that is no answer. */
  #lastChild = new Map<Entry, number>();
  /** Replies that stand beside the path, and what hangs on them. */
  #beside = new Set<Entry>();

  constructor(entries: readonly Entry[], tree: Tree, path: Set<Entry>, isPrompt: (entry: Entry) => boolean) {
    this.#tree = tree;
    this.#path = path;
    this.#withPrompt = markUp(entries.filter(isPrompt), tree);
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

  #isOfKnownResponse({ body }: Entry): boolean {
    const id = textField(body, 'id');
    return id !== undefined && this.#responses.has(id);
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

  #learn({ kind, body }: Entry): void {
    if (kind !== 'assistant') return;
    const id = textField(body, 'id');
    if (id !== undefined) this.#responses.add(id);
    for (const block of blocksOf(body)) {
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
