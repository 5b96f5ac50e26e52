import type { Session } from '../../session/index.ts';
import type { ReadContext } from '../format.ts';
import { Assembly } from './assemble.ts';
import { askedCommands } from './commands.ts';
import { opensTurn } from './content.ts';
import type { Entry, Note } from './entries.ts';
import type { Lane } from './lanes.ts';
import { mergeResponses } from './merge.ts';
import { parentsFirst } from './order.ts';
import type { SessionLines } from './sessions.ts';
import { activePath } from './tree.ts';

/** One linear context as a session; undefined for one that holds nothing, or only what was billed elsewhere. */
export function readLane(
  { agent, entries }: Lane,
  lines: SessionLines,
  note: Note,
  { seenRequests }: ReadContext,
): Session | undefined {
  const first = entries.find(({ kind }) => kind === 'user' || kind === 'assistant');
  if (!first) return undefined;
  const assembly = new Assembly(lay(entries, note), { seenRequests, note, isSubAgent: agent !== undefined });
  assembly.run();
  const session = assembly.build({
    id: agent === undefined ? lines.id : `${lines.id}/agent-${agent}`,
    ...(agent === undefined ? {} : { parent: lines.id }),
    agent: 'claude-code',
    ...(lines.version === undefined ? {} : { agentVersion: lines.version }),
    ...(lines.project === undefined ? {} : { project: lines.project }),
    ...(assembly.model === undefined ? {} : { model: assembly.model }),
    content: 'text',
  });
  const billed = session.requests.length + session.abandoned.length;
  if (billed > 0 || (assembly.copied === 0 && session.turns.length > 0)) return session;
  if (assembly.copied > 0) note('duplicate-session', first.line);
  return undefined;
}

/** The lines in order, which of them stand in the context of the last, and what they come to. */
function lay(entries: readonly Entry[], note: Note) {
  const ordered = parentsFirst(entries);
  const commands = askedCommands(ordered);
  const opens = (entry: Entry) => commands.has(entry) || opensTurn(entry);
  const responses = mergeResponses(ordered, (line) => (kind, detail) => note(kind, line, detail));
  const path = activePath(ordered, opens, responses);
  if (path) return { entries: ordered, path, responses, commands };
  const first = entries[0];
  if (first && entries.some(({ parent }) => parent !== undefined)) note('broken-tree', first.line);
  return {
    entries,
    path: new Set(entries),
    // What was odd was said the first time.
    responses: mergeResponses(entries, () => () => {}),
    commands: askedCommands(entries),
  };
}
