import { native } from '../src/formats/native/index.ts';
import { Findings } from '../src/session/findings.ts';
import type { Session } from '../src/session/session.ts';

/** Reads lines of the native format as one file; a line that is refused is an error. */
export async function readNativeLines(lines: readonly string[]): Promise<Session[]> {
  const findings = new Findings();
  const records = () => lines.map((text, index) => ({ line: index + 1, value: JSON.parse(text) as unknown }));
  const sessions: Session[] = [];
  const context = { findings, seenRequests: new Set<string>() };
  for await (const session of native.read({ path: 'converted', records }, context)) sessions.push(session);
  const refused = findings.list().filter(({ kind }) => ['invalid-native-record', 'replayed-request'].includes(kind));
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
  return sessions;
}
