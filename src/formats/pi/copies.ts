import { isDeepStrictEqual } from 'node:util';
import { promptTokens } from '../../session/index.ts';
import type { SeenRequests } from '../format.ts';
import type { Answer } from './answers.ts';
import type { Entry } from './entries.ts';
import { type JsonRecord, textOf } from './records.ts';
import type { Header } from './sections.ts';

/** The answers of one session against those that were billed elsewhere: forks copy the lines of their parent. */
export class Copies {
  /** Answers that stand in an earlier file, or were copied from the parent's. */
  count = 0;
  readonly #seen: SeenRequests;
  readonly #header: Header;
  /** Answers of this session, by what copies of them have in common. */
  readonly #own = new Map<string, JsonRecord[]>();

  constructor(seen: SeenRequests, header: Header) {
    this.#seen = seen;
    this.#header = header;
  }

  /** Where an answer was billed, if not here. */
  copyOf(answer: Answer, entry: Entry): string | undefined {
    const copy = this.#find(answer, entry);
    if (copy !== undefined) this.count += 1;
    return copy;
  }

  /** True for a time before the session: a fork began with lines of its parent, which keep theirs. */
  isFromParent(time: number | undefined): boolean {
    const { created, isFork } = this.#header;
    return isFork && created !== undefined && time !== undefined && time < created;
  }

  #find(answer: Answer, entry: Entry): string | undefined {
    if (this.isFromParent(answer.start ?? entry.time)) return 'from the parent session';
    const key = keyOf(answer, entry);
    if (key === undefined) return undefined;
    if (this.#seen.has(key)) return 'in an earlier file';
    const known = this.#own.get(key) ?? [];
    if (known.some((body) => isDeepStrictEqual(body, entry.body))) return 'in the same file';
    this.#own.set(key, [...known, entry.body]);
    return undefined;
  }

  /** Makes this session's answers known to those behind it. Not before its end: here nothing but an equal line is a copy. */
  publish(): void {
    for (const key of this.#own.keys()) this.#seen.add(key);
  }
}

/**
 * What an answer keeps in every copy: the provider's name for it, or its millisecond, and its counts. A name alone is not
 * enough: small servers count their answers anew whenever they start.
 */
function keyOf({ counted, model, start }: Answer, { body }: Entry): string | undefined {
  const id = textOf(body.responseId);
  const usage = counted?.usage;
  const counts = usage && `${promptTokens(usage)}:${usage.cacheRead}:${usage.output}`;
  if (id !== undefined) return `pi:${id}:${model}:${counts ?? '-'}`;
  if (counts === undefined || start === undefined || body.timestamp === undefined) return undefined;
  return `pi:${start}:${model}:${counts}`;
}
