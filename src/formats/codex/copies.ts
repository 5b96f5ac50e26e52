import type { SeenRequests } from '../format.ts';
import type { Header } from './facts.ts';
import type { Counted } from './usage.ts';
import { isUuid } from './uuid.ts';

/** The requests of one file against those of the files before it: a resumed, archived or forked session is billed once. */
export class Copies {
  readonly #seen: SeenRequests;
  readonly #header: Header;
  #own: string[] = [];
  /** Requests of this file that stand in an earlier one, too. */
  count = 0;

  constructor(seen: SeenRequests, header: Header) {
    this.#seen = seen;
    this.#header = header;
  }

  /** True if an earlier file of the same session holds this request. */
  isCopy(counted: Counted, turnId: string | undefined): boolean {
    const keys = requestKeys(turnId, [this.#header.id], counted.key);
    if (keys.some((key) => this.#seen.has(key))) {
      this.count += 1;
      return true;
    }
    this.#own.push(...keys);
    return false;
  }

  /** Makes this file's requests known. Not before its end: inside one file nothing is a copy. */
  publish(): void {
    for (const key of this.#own) this.#seen.add(key);
  }
}

/**
 * The names of a request: its session's, and its turn's where that id is unique in the world. Copies in other files share
 * one at least, because they keep their turn ids.
 */
export function requestKeys(
  turnId: string | undefined,
  sessions: readonly (string | undefined)[],
  key: string,
): string[] {
  const owners = turnId !== undefined && isUuid(turnId) ? [turnId, ...sessions] : sessions;
  return owners.flatMap((owner) => (owner === undefined ? [] : [`codex:${owner}:${key}`]));
}
