import type { Usage } from '../../session/index.ts';
import type { SeenRequests } from '../format.ts';

/** What tells a request from others of its session; an id alone does not: a relay may give all of them one. */
export interface RequestFacts {
  readonly kind: 'request' | 'abandoned';
  readonly id?: string | undefined;
  readonly time?: string | number | undefined;
  readonly usage?: Usage | undefined;
}

/** The requests of one copy of a session against those of the copies before it: a session was billed once. */
export class CopiedRequests {
  readonly #seen: SeenRequests;
  readonly #session: string;
  readonly #own = new Map<string, number>();

  constructor(seen: SeenRequests, session: string) {
    this.#seen = seen;
    this.#session = session;
  }

  /** True if an earlier copy has the request: at the same place of the context, of the same id, time and usage. */
  isCopy({ kind, id, time, usage }: RequestFacts, place: number): boolean {
    const counts = usage && Object.values(usage).join(':');
    const at = time === undefined ? undefined : new Date(time).getTime();
    const facts = JSON.stringify([this.#session, kind, place, id, at, counts]);
    const before = this.#own.get(facts) ?? 0;
    this.#own.set(facts, before + 1);
    return this.#seen.has(keyOf(facts, before));
  }

  /** Makes the requests known. Not before the end of their session: inside it nothing is a copy. */
  publish(): void {
    for (const [facts, count] of this.#own) for (let at = 0; at < count; at += 1) this.#seen.add(keyOf(facts, at));
  }
}

function keyOf(facts: string, before: number): string {
  return `native:${facts}#${before}`;
}
