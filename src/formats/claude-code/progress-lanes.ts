import type { Session } from '../../session/index.ts';
import type { ReadContext } from '../format.ts';
import type { Entry, Note } from './entries.ts';
import { isClaimed } from './identity.ts';
import type { Lane } from './lanes.ts';
import { mergeResponses, tokensOf } from './merge.ts';
import { readLane } from './read-lane.ts';
import { textField } from './records.ts';
import type { SessionLines } from './sessions.ts';

/**
 * Sub-agents whose answers stand in the progress of the session that started them. Where their own lines are among the
 * inputs, those are billed; where they are not, this is the only place that tells of them.
 */
export function* readProgressLanes(
  lines: SessionLines,
  lanes: readonly Lane[],
  note: Note,
  context: ReadContext,
): Generator<Session> {
  const agents = new Map<string, Entry[]>();
  const seen = new Set<string>();
  for (const { agent, entry } of lines.progress) {
    // A message may be shown again, in the same state.
    if (entry.kind === 'user' && entry.uuid !== undefined) {
      if (seen.has(entry.uuid)) continue;
      seen.add(entry.uuid);
    }
    const known = agents.get(agent);
    if (known) known.push(entry);
    else agents.set(agent, [entry]);
  }
  for (const [agent, { line, tokens }] of lines.agents) {
    const isRead = agents.has(agent) || lanes.some((lane) => lane.agent === agent);
    if (!isRead) note('sub-agent-missing', line, undefined, tokens);
  }
  for (const [agent, entries] of agents) {
    const own = lanes.find((lane) => lane.agent === agent);
    if (own) {
      checkCopies(entries, own, note, context);
      continue;
    }
    const session = readLane({ agent, entries }, lines, note, context);
    if (!session) continue;
    note('sub-agent-from-progress', entries[0]?.line ?? 1);
    yield session;
  }
}

/** Counts what progress repeats of a sub-agent that has lines of its own, and what those lack. */
function checkCopies(entries: readonly Entry[], own: Lane, note: Note, { seenRequests }: ReadContext): void {
  const ids = new Set(own.entries.map(({ body }) => textField(body, 'id')));
  for (const response of new Set(mergeResponses(entries, () => () => {}).values())) {
    const isCopy = isClaimed(response, seenRequests) || ids.has(response.id);
    const tokens = tokensOf(response);
    if (isCopy && tokens) note('progress-usage', response.first.line, undefined, tokens);
    else if (tokens) note('unread-usage', response.first.line, 'progress', tokens);
  }
}
