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

/** All but the content-free copies of what is there with its words; each of those is given to `drop`. */
export function withoutCopies<T>(
  all: readonly T[],
  factsOf: (each: T) => { readonly recording: string; readonly hasWords: boolean } | undefined,
  drop: (each: T) => void,
): T[] {
  const withWords = new Set<string | undefined>();
  for (const facts of all.map(factsOf)) if (facts?.hasWords) withWords.add(facts.recording);
  return all.filter((each) => {
    const facts = factsOf(each);
    if (!facts || facts.hasWords || !withWords.has(facts.recording)) return true;
    drop(each);
    return false;
  });
}
