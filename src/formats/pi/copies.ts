import { isDeepStrictEqual } from 'node:util';
import { parseTime } from '../../bytes/index.ts';
import { promptTokens, type Usage } from '../../session/index.ts';
import type { SeenRequests } from '../format.ts';
import type { Answer } from './answers.ts';
import type { Entry } from './entries.ts';
import { textOf } from './records.ts';
import type { Header } from './sections.ts';

/** The answers of one session against those that were billed elsewhere: forks copy the lines of their parent. */
export class Copies {
  /** Answers that stand in an earlier file, or were copied from the parent's. */
  count = 0;
  readonly #seen: SeenRequests;
  readonly #header: Header;
  /** Answers of this session, by what copies of them have in common. */
  readonly #own = new Map<string, Known[]>();

  constructor(seen: SeenRequests, header: Header) {
    this.#seen = seen;
    this.#header = header;
  }

  /** Where an answer was billed, if not here; `inputs` is how many lines of input stand before it. */
  copyOf(answer: Answer, entry: Entry, inputs: number): string | undefined {
    const from = answer.start ?? entry.time;
    return this.#count(this.#find(from, keyOf(answer, entry), { entry, inputs }));
  }

  /** Where the request that wrote a summary was billed, if not here. */
  summaryCopyOf(entry: Entry, usage: Usage, inputs: number): string | undefined {
    const { id, time } = entry;
    const key = id === undefined && time === undefined ? undefined : `pi:summary:${id}:${time}:${countsOf(usage)}`;
    return this.#count(this.#find(time, key, { entry, inputs }));
  }

  /** True for a time before the session: a fork began with lines of its parent, which keep theirs. */
  isFromParent(time: number | undefined): boolean {
    const { created, isFork } = this.#header;
    return isFork && created !== undefined && time !== undefined && time < created;
  }

  #count(copy: string | undefined): string | undefined {
    if (copy !== undefined) this.count += 1;
    return copy;
  }

  #find(from: number | undefined, key: string | undefined, it: Known): string | undefined {
    if (this.isFromParent(from)) return 'from the parent session';
    if (key === undefined) return undefined;
    if (this.#seen.has(key)) return 'in an earlier file';
    const known = this.#own.get(key) ?? [];
    if (known.some((other) => isSame(other, it))) return 'in the same file';
    this.#own.set(key, [...known, it]);
    return undefined;
  }

  /** Makes this session's answers known to those behind it. Not before its end: here nothing but an equal line is a copy. */
  publish(): void {
    for (const key of this.#own.keys()) this.#seen.add(key);
  }
}

/** A request of this session, and how many lines of input stand before it. */
interface Known {
  readonly entry: Entry;
  readonly inputs: number;
}

/** One answer written twice. Without a time in it the lines must have one time, or no input may stand between them. */
function isSame(a: Known, b: Known): boolean {
  if (!isDeepStrictEqual(a.entry.body, b.entry.body)) return false;
  if (a.entry.body.timestamp !== undefined) return true;
  const [one, other] = [a.entry.time, b.entry.time];
  return one !== undefined && other !== undefined ? one === other : a.inputs === b.inputs;
}

/**
 * What an answer keeps in every copy: its millisecond, its counts, and the provider's name for it. A name alone proves
 * nothing: small servers count their answers anew whenever they start, and a relay may give all of them one name.
 */
function keyOf({ counted, model, start }: Answer, { body, time }: Entry): string | undefined {
  const id = textOf(body.responseId);
  const counts = counted && countsOf(counted.usage);
  if (id !== undefined) return `pi:${id}:${model}:${counts ?? '-'}:${parseTime(body.timestamp) ?? time ?? '-'}`;
  if (counts === undefined || start === undefined || body.timestamp === undefined) return undefined;
  return `pi:${start}:${model}:${counts}`;
}

function countsOf(usage: Usage): string {
  return `${promptTokens(usage)}:${usage.cacheRead}:${usage.output}`;
}
