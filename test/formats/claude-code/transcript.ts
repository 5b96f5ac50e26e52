import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinSources, openFile, type Source } from '../../../src/bytes/index.ts';
import { claudeCode } from '../../../src/formats/claude-code/index.ts';
import type { ReadContext } from '../../../src/formats/format.ts';
import { Findings } from '../../../src/session/findings.ts';
import type { Session } from '../../../src/session/session.ts';
import { tempFolder } from '../../temp.ts';

type Line = Record<string, unknown>;

/** Time `seconds` after the start of the made-up session. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

/** Milliseconds of that time. */
export const ms = (seconds: number): number => Date.UTC(2026, 0, 1) + seconds * 1000;

/** A line of type user; text or blocks. */
export function user(uuid: string, parentUuid: string | null, content: unknown, more: Line = {}): Line {
  return { type: 'user', uuid, parentUuid, sessionId: 'S', message: { role: 'user', content }, ...more };
}

/** A user line with one tool result. */
export function result(
  uuid: string,
  parentUuid: string,
  toolUseId: string,
  content: unknown = 'done',
  more: Line = {},
): Line {
  return user(uuid, parentUuid, [{ type: 'tool_result', tool_use_id: toolUseId, content }], more);
}

/** A line of the response `id`, with one content block. */
export function assistant(
  uuid: string,
  parentUuid: string | null,
  id: string,
  block: Line | undefined,
  usage: Line | undefined,
  more: Line = {},
): Line {
  return {
    type: 'assistant',
    uuid,
    parentUuid,
    sessionId: 'S',
    requestId: `req_${id}`,
    message: { id, role: 'assistant', model: 'claude-x', content: block ? [block] : [], ...(usage ? { usage } : {}) },
    ...more,
  };
}

/** A system line. */
export function system(uuid: string, parentUuid: string | null, subtype: string, more: Line = {}): Line {
  return { type: 'system', uuid, parentUuid, sessionId: 'S', subtype, ...more };
}

/** An attachment line. */
export function attachment(uuid: string, parentUuid: string, body: Line, more: Line = {}): Line {
  return { type: 'attachment', uuid, parentUuid, sessionId: 'S', attachment: body, ...more };
}

export const text = (words: string): Line => ({ type: 'text', text: words });
export const call = (id: string, name = 'Read', input: Line = { file_path: `${id}.ts` }): Line => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** A recorded usage: fresh, output, read, and writes of both lifetimes. */
export function usage(input: number, output: number, read = 0, write5m = 0, write1h = 0): Line {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write5m + write1h,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
  };
}

const folder = tempFolder();
let written = 0;

export interface Read {
  readonly sessions: readonly Session[];
  readonly session: Session;
  readonly findings: Findings;
  /** `kind` or `kind:detail` to count. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Writes lines to a file of this name and reads them; a string is written as it is. */
export function read(lines: readonly (Line | string)[], context?: ReadContext, name = 'S.jsonl'): Read {
  const file = join(folder, `${++written}.jsonl`);
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return readFile(file, context, name);
}

export function readFile(file: string, context?: ReadContext, name = 'S.jsonl'): Read {
  const findings = new Findings();
  return readSource(openFile(name, findings, { file }), findings, context);
}

/** Several files of one session, as a run reads them: as one. */
export function readTogether(files: Readonly<Record<string, readonly Line[]>>, context?: ReadContext): Read {
  const findings = new Findings();
  const sources = Object.entries(files).map(([name, lines]) => {
    const file = join(folder, `${++written}.jsonl`);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return openFile(name, findings, { file });
  });
  return readSource(joinSources(sources as [Source, ...Source[]]), findings, context);
}

function readSource(source: Source, findings: Findings, context?: ReadContext): Read {
  const sessions = [...claudeCode.read(source, { findings, seenRequests: context?.seenRequests ?? new Set() })];
  const counts = findings.list().map(({ kind, detail, count }) => [detail === '' ? kind : `${kind}:${detail}`, count]);
  return { sessions, session: sessions[0] as Session, findings, counts: Object.fromEntries(counts) };
}

/** Kinds and texts of the blocks, in short. */
export function log(session: Session): string[] {
  return session.blocks.map(({ kind, text: words, callId }) => `${kind} ${callId ?? words ?? ''}`);
}
