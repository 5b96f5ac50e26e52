import { promptTokens, type Session, SessionBuilder, type SessionFacts } from '../../session/index.ts';
import { addRecord, type NativeRecord } from '../../session/native.ts';
import type { SeenRequests } from '../format.ts';
import { CopiedRequests } from './copies.ts';

type Step = Exclude<NativeRecord, { type: 'session' }>;

/** The lines of one copy of a session. */
export interface Section {
  readonly facts: SessionFacts;
  readonly line: number;
  readonly steps: { readonly line: number; readonly record: Step }[];
}

type NoteLine = (kind: string, line: number, detail?: string) => void;

/** The session of these lines; undefined where earlier copies have all of its requests. */
export function buildSection({ facts, line, steps }: Section, seen: SeenRequests, note: NoteLine): Session | undefined {
  const builder = new SessionBuilder();
  const copies = new CopiedRequests(seen, facts.id);
  /** Lines of calls that nothing has answered yet, by call id. */
  const open = new Map<string, number>();
  let own = 0;
  let copied = 0;
  for (const { line: at, record } of steps) {
    if (record.type === 'block' && record.callId !== undefined) {
      if (record.kind === 'call') open.set(record.callId, at);
      else if (record.kind === 'result') open.delete(record.callId);
    }
    if (!isRequest(record)) addBlock(builder, record, at, note);
    else if (copies.isCopy({ ...record, kind: record.type }, builder.blockCount)) {
      // Its blocks stay as context.
      builder.endOutput();
      note('replayed-request', at);
      copied += 1;
    } else {
      if (isUnmeasured(record)) note('usage-missing', at);
      addRecord(builder, isUnmeasured(record) ? { ...record, usage: undefined } : record);
      own += 1;
    }
  }
  copies.publish();
  for (const at of open.values()) note('unanswered-call', at);
  if (own > 0 || copied === 0) return builder.build(facts);
  note('duplicate-session', line);
  return undefined;
}

function addBlock(builder: SessionBuilder, record: Step, line: number, note: NoteLine): void {
  if (record.type === 'segment' && record.keeps.some((block) => block >= builder.blockCount)) {
    note('invalid-native-record', line, `keeps: there are ${builder.blockCount} blocks so far, counted from 0`);
    return;
  }
  if (record.type === 'block' && record.kind === 'result' && !builder.hasCall(record.callId ?? '')) {
    note('orphan-result', line);
  }
  addRecord(builder, record);
}

function isRequest(record: Step): record is Extract<Step, { type: 'request' | 'abandoned' }> {
  return record.type === 'request' || record.type === 'abandoned';
}

/** A prompt of no tokens was never sent: the zeros stand for what the writer did not know. */
function isUnmeasured(record: Step): record is Extract<Step, { type: 'request' }> {
  return record.type === 'request' && record.usage !== undefined && promptTokens(record.usage) === 0;
}
