import type { Source } from '../../bytes/source.ts';
import type { Session } from '../../session/index.ts';
import { SessionBuilder, type SessionFacts } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';

/** ctxsim's own format: one JSON record per line, specified in the README, for harnesses that write it themselves. */
export const native: Format = {
  name: 'native',
  title: 'ctxsim native format (JSONL, with text or content-free)',
  supplies: { text: true, times: true, usage: 'read+write' },
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

async function loadSchema() {
  return import('../../session/native.ts');
}

async function* read(source: Source, { findings, seenRequests }: ReadContext): AsyncGenerator<Session> {
  const { addRecord, factsOf, nativeRecord } = await loadSchema();
  let facts: SessionFacts | undefined;
  let builder = new SessionBuilder();
  let sessionId = '';
  for (const { line, value } of source.records()) {
    const parsed = nativeRecord.safeParse(value);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      findings.add(
        'invalid-native-record',
        source.path,
        line,
        `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
      );
      continue;
    }
    const record = parsed.data;
    if (record.type === 'session') {
      if (facts) yield builder.build(facts);
      facts = factsOf(record);
      sessionId = record.id;
      builder = new SessionBuilder();
    } else if (!facts) {
      findings.add('invalid-native-record', source.path, line, 'a session line must come first');
    } else if (
      record.type === 'request' &&
      record.id !== undefined &&
      isSeen(`native:${sessionId}:${record.id}`, seenRequests)
    ) {
      findings.add('replayed-request', source.path, line);
    } else {
      addRecord(builder, record);
    }
  }
  if (facts) yield builder.build(facts);
}

function isSeen(key: string, seen: Set<string>): boolean {
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}
