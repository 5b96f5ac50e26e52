import { createHash } from 'node:crypto';
import { type Session, usageClasses } from '../session/index.ts';

/** Hexadecimal digits of a digest: 64 bits tell more recordings apart than there are. */
const digits = 16;

/** Names what was recorded, whatever the session is called: the same for a session and for its content-free copy. */
export function recordingOf({ blocks, requests }: Session): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(blocks.map(({ kind, text, size }) => [kind, text?.length ?? size?.chars])));
  for (const { at, outputs, time, usage, totals } of requests) {
    // One by one, because readers write them in orders of their own.
    const counts = usage ? usageClasses.map((name) => usage[name]) : [totals?.prompt, totals?.output];
    hash.update(JSON.stringify([at, outputs, time, counts]));
  }
  return hash.digest('hex').slice(0, digits);
}
