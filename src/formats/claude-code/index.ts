import type { Source } from '../../bytes/index.ts';
import type { Session } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';
import { isIdleType, type Note } from './entries.ts';
import { splitLanes } from './lanes.ts';
import { readProgressLanes } from './progress-lanes.ts';
import { readLane } from './read-lane.ts';
import { asObject, field, objectField, textField } from './records.ts';
import { readSessions, type SessionLines } from './sessions.ts';
import { toolNames } from './tools.ts';

/** Transcripts that Claude Code keeps, one line per content block. */
export const claudeCode = {
  name: 'claude-code',
  title: 'Claude Code',
  supplies: { text: true, times: true, usage: 'read+write' },
  tools: toolNames,
  sniff: (head) => head.some(isOurs) && !head.some(isOthers),
  sessionOf: (head) => head.map((value) => textField(asObject(value), 'sessionId')).find((id) => id !== undefined),
  *read(source, context) {
    const note = noteIn(source, context);
    for (const lines of readSessions(source, note)) yield* readSession(lines, { note, context });
  },
} as const satisfies Format;

function noteIn(source: Source, { findings }: ReadContext): Note {
  return (kind, line, detail, tokens) => {
    const place = source.placeOf?.(line) ?? { path: source.path, line };
    findings.add(kind, place.path, place.line, detail, 1, tokens);
  };
}

function isOurs(value: unknown): boolean {
  const record = asObject(value);
  const type = textField(record, 'type');
  if (type === undefined) return false;
  if (textField(record, 'sessionId') !== undefined) {
    return isIdleType(type) || ['uuid', 'leafUuid', 'operation'].some((key) => textField(record, key) !== undefined);
  }
  return (type === 'summary' && textField(record, 'leafUuid') !== undefined) || type.startsWith('file-history-');
}

/** Harnesses that took over the envelope and fill it otherwise. */
function isOthers(value: unknown): boolean {
  const record = asObject(value);
  return Array.isArray(field(objectField(record, 'message'), 'parts')) || field(record, 'projectHash') !== undefined;
}

interface Reading {
  readonly note: Note;
  readonly context: ReadContext;
}

/** The conversation, then the sub-agents that have lines of their own, then those of which only the progress was shown. */
function* readSession(lines: SessionLines, { note, context }: Reading): Generator<Session> {
  const lanes = splitLanes(lines.entries);
  for (const lane of lanes) {
    const session = readLane(lane, lines, note, context);
    if (session) yield session;
  }
  yield* readProgressLanes(lines, lanes, note, context);
}
