import type { Source } from '../../bytes/source.ts';
import type { Session } from '../../session/index.ts';
import { promptTokens, SessionBuilder, type SessionFacts, toolActions } from '../../session/index.ts';
import type { NativeRecord } from '../../session/native.ts';
import type { Format, ReadContext, SeenRequests } from '../format.ts';

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

async function loadSchema() {
  return import('../../session/native.ts');
}

async function* read(source: Source, { findings, seenRequests }: ReadContext): AsyncGenerator<Session> {
  const { addRecord, factsOf, faultsOf, nativeRecord } = await loadSchema();
  let facts: SessionFacts | undefined;
  let builder = new SessionBuilder();
  /** Lines of calls that nothing has answered yet, by call id. */
  const open = new Map<string, number>();
  const noteUnanswered = () => {
    for (const line of open.values()) findings.add('unanswered-call', source.path, line);
    open.clear();
  };
  /** Requests without an id are told apart by their place in the session. */
  let requests = 0;
  const refuse = (line: number, why: string) => findings.add('invalid-native-record', source.path, line, why);
  for (const { line, value } of source.records()) {
    const parsed = nativeRecord.safeParse(value);
    const record = parsed.data;
    if (!record) {
      for (const fault of faultsOf(parsed.error)) refuse(line, fault);
    } else if (record.type === 'session') {
      noteUnanswered();
      if (facts) yield builder.build(facts);
      facts = factsOf(record);
      builder = new SessionBuilder();
      requests = 0;
    } else if (!facts) {
      refuse(line, 'a session line must come first');
    } else if (record.type === 'segment' && record.keeps.some((block) => block >= builder.blockCount)) {
      refuse(line, `keeps: there are ${builder.blockCount} blocks so far, counted from 0`);
    } else if (record.type === 'request' && isSeen(`native:${facts.id}:${record.id ?? requests++}`, seenRequests)) {
      // A copy of a session was billed once; its blocks stay as context.
      builder.endOutput();
      findings.add('replayed-request', source.path, line);
    } else {
      if (record.type === 'block' && record.kind === 'result' && !builder.hasCall(record.callId ?? '')) {
        findings.add('orphan-result', source.path, line);
      }
      if (record.type === 'block' && record.callId !== undefined) {
        if (record.kind === 'call') open.set(record.callId, line);
        else if (record.kind === 'result') open.delete(record.callId);
      }
      if (isUnmeasured(record)) findings.add('usage-missing', source.path, line);
      addRecord(builder, isUnmeasured(record) ? { ...record, usage: undefined } : record);
    }
  }
  noteUnanswered();
  if (facts) yield builder.build(facts);
}

/** A prompt of no tokens was never sent: the zeros stand for what the writer did not know. */
function isUnmeasured(record: NativeRecord): record is Extract<NativeRecord, { type: 'request' }> {
  return record.type === 'request' && record.usage !== undefined && promptTokens(record.usage) === 0;
}

function isSeen(key: string, seen: SeenRequests): boolean {
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}
