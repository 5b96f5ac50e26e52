import type { Source } from '../../bytes/source.ts';
import type { Session } from '../../session/index.ts';
import { toolActions } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';
import { noteUnreadUsage } from '../unread-usage.ts';
import type { Section } from './build.ts';

/** ctxsim's own format: one JSON record per line, specified in the README, for harnesses that write it themselves. */
export const native: Format = {
  name: 'native',
  title: 'ctxsim native format (JSONL, with text or content-free)',
  supplies: { text: true, times: true, usage: 'read+write' },
  isStrict: true,
  tools: toolActions,
  sniff: (head) => isHeader(head[0]),
  read,
};

function isHeader(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    String(value.format).startsWith('ctxsim.session/')
  );
}

/** The schema is loaded only where a file needs it: no other format does. */
async function load() {
  return { ...(await import('../../session/native.ts')), ...(await import('./build.ts')) };
}

/** The sessions of a stream, of several copies of one the longest first: the others add what it lacks. */
async function* read(source: Source, { findings, seenRequests }: ReadContext): AsyncGenerator<Session> {
  const { factsOf, faultsOf, nativeRecord, buildSection } = await load();
  const sections = new Map<string, Section[]>();
  let current: Section | undefined;
  const note = (kind: string, line: number, why?: string) => findings.add(kind, source.path, line, why);
  for (const { line, value } of source.records()) {
    const { data: record, error } = nativeRecord.safeParse(value);
    if (!record) {
      for (const fault of faultsOf(error)) note('invalid-native-record', line, fault);
      noteUnreadUsage(findings, source.path, line, 'invalid record', value);
    } else if (record.type === 'session') {
      current = { facts: factsOf(record), line, steps: [] };
      const copies = sections.get(record.id) ?? [];
      sections.set(record.id, copies);
      copies.push(current);
    } else if (current) current.steps.push({ line, record });
    else note('invalid-native-record', line, 'a session line must come first');
  }
  for (const copies of sections.values()) {
    const longestFirst = copies.toSorted((a, b) => b.steps.length - a.steps.length);
    for (const [at, section] of longestFirst.entries()) {
      const session = buildSection(section, seenRequests, note);
      const isBare = session?.requests.length === 0 && session.abandoned.length === 0;
      if (session && !(at > 0 && isBare)) yield session;
    }
  }
}
