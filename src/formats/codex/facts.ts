import { parseTime } from '../../bytes/index.ts';
import type { Block, SessionFacts } from '../../session/index.ts';
import type { Entry, Log } from './log.ts';
import { firstText, isRecord, type JsonRecord, listOf, recordOf, textOf } from './records.ts';
import { uuidTime } from './uuid.ts';

/** What the header lines of a file say about its session. */
export interface Header {
  readonly id: string | undefined;
  /** The session that this one was forked from or started by. */
  readonly parent: string | undefined;
  /** Every other session whose header stands in the file: those of copied lines. */
  readonly others: readonly string[];
  readonly created: number | undefined;
  readonly meta: JsonRecord;
}

/** The first header is the file's own; a fork copies its parent's headers behind it, a resumed session repeats its own. */
export function readHeader(log: Log): Header {
  const metas = log.entries.flatMap((entry) => (entry.kind === 'meta' ? [entry.meta] : []));
  const meta = metas[0] ?? {};
  const id = idOf(meta);
  const others = [...new Set(metas.map(idOf))].filter((it) => it !== undefined && it !== id) as string[];
  const parent = parentOf(meta) ?? others[0];
  return {
    id,
    parent: parent === id ? undefined : parent,
    others,
    created: createdAt(meta),
    meta,
  };
}

/** The session that a header says its own was forked from or started by. */
export function parentOf(meta: JsonRecord): string | undefined {
  const spawn = recordOf(recordOf(recordOf(meta.source).subagent).thread_spawn);
  return firstText(meta.forked_from_id, spawn.parent_thread_id, meta.parent_thread_id);
}

/** When the session of a header began, milliseconds since the epoch. */
export function createdAt(meta: JsonRecord): number | undefined {
  return uuidTime(idOf(meta)) ?? parseTime(meta.timestamp);
}

/** The facts of a session that stand in its header. */
export function sessionFacts(header: Header, entries: readonly Entry[], path: string): SessionFacts {
  const { id, parent, meta } = header;
  const agentVersion = textOf(meta.cli_version);
  const project = textOf(meta.cwd);
  const model = firstModel(entries);
  return {
    id: id ?? path,
    agent: 'codex',
    content: 'text',
    ...(parent !== undefined && { parent }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(project !== undefined && { project }),
    ...(model !== undefined && { model }),
  };
}

/**
 * The blocks that open every prompt: the instructions, and the tools that the harness was given at run time
 * (its own tools are nowhere in the file). Deferred tools enter the context only when the model looks for them.
 */
export function openingBlocks(meta: JsonRecord): Block[] {
  const blocks: Block[] = [];
  const instructions = firstText(recordOf(meta.base_instructions).text, meta.base_instructions, meta.instructions);
  if (instructions !== undefined) blocks.push({ kind: 'system', text: instructions });
  const tools = loadedTools(meta.dynamic_tools);
  if (tools.length > 0) blocks.push({ kind: 'tools', text: JSON.stringify(tools) });
  return blocks;
}

function loadedTools(value: unknown): JsonRecord[] {
  return listOf(value).flatMap((tool) => {
    if (!isRecord(tool) || tool.deferLoading === true || tool.defer_loading === true) return [];
    if (!Array.isArray(tool.tools)) return [tool];
    const tools = loadedTools(tool.tools);
    return tools.length === 0 ? [] : [{ ...tool, tools }];
  });
}

/** The id of the session that a header is of. */
export function idOf(meta: JsonRecord): string | undefined {
  return firstText(meta.id, meta.session_id);
}

function firstModel(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) if (entry.kind === 'settings' && entry.model !== undefined) return entry.model;
  for (const entry of entries) if (entry.kind === 'thread-settings' && entry.model !== undefined) return entry.model;
  return undefined;
}
