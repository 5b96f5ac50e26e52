import { createHash } from 'node:crypto';
import { modelOf, type Session, usageClasses } from '../session/index.ts';

/** Hexadecimal digits of a digest: 64 bits tell more recordings apart than there are. */
const digits = 16;

/** Names what was recorded, whatever the session is called: the same for a session and for its content-free copy. */
export function recordingOf(session: Session): string {
  const { blocks, requests } = session;
  const hash = createHash('sha256');
  hash.update(JSON.stringify(blocks.map(({ kind, text, size }) => [kind, text?.length ?? size?.chars])));
  for (const request of requests) {
    const { at, outputs, time, usage, totals } = request;
    // One by one, because readers write them in orders of their own.
    const counts = usage ? usageClasses.map((name) => usage[name]) : [totals?.prompt, totals?.output];
    hash.update(JSON.stringify([at, outputs, time, counts, modelOf(session, request)]));
  }
  return hash.digest('hex').slice(0, digits);
}

/** What tells a copy of a session from another session. */
export interface CopyFacts {
  readonly id: string;
  readonly recording: string;
  readonly hasWords: boolean;
}

/**
 * All but the copies of what is there already, of which the one with words is kept; of the others, `drop` is told. A copy
 * without words has a name of its own; two with words are one only if both names say so, because scripted runs are alike.
 */
export function withoutCopies<T>(
  all: readonly T[],
  factsOf: (each: T) => CopyFacts | undefined,
  drop: (each: T, kind: 'content-free-copy' | 'session-copy') => void,
): T[] {
  const withWords = new Set<string>();
  for (const facts of all.map(factsOf)) if (facts?.hasWords) withWords.add(facts.recording);
  const kept = new Set<string>();
  return all.filter((each) => {
    const facts = factsOf(each);
    if (!facts) return true;
    const name = `${facts.recording} ${facts.id}`;
    const isBare = !facts.hasWords && withWords.has(facts.recording);
    if (isBare || kept.has(name)) {
      drop(each, isBare ? 'content-free-copy' : 'session-copy');
      return false;
    }
    kept.add(name);
    return true;
  });
}
