import type { JsonLine } from '../../bytes/index.ts';
import type { TokenCount } from '../../session/index.ts';
import { usageWithin } from '../unread-usage.ts';
import { type Entry, type Note, progressMessage, readEntry } from './entries.ts';
import { asObject, field, objectField, textField } from './records.ts';

/** A message of a sub-agent, as the session that started it shows it. */
export interface Progress {
  readonly agent: string;
  readonly entry: Entry;
}

/**
 * The message that a progress line repeats. Sub-agents have files of their own; where that of one is not at hand, these lines
 * are all that is left of it.
 */
export function readProgress({ line, value }: JsonLine, note: Note): Progress | undefined {
  const record = asObject(value);
  const inner = record && textField(record, 'type') === 'progress' ? progressMessage(record) : undefined;
  if (!record || !inner) return undefined;
  // Its own line has its time where the message has none; where it hangs in the tree says nothing of the sub-agent.
  const own = { timestamp: field(record, 'timestamp'), ...inner, parentUuid: undefined, isSidechain: true };
  const entry = readEntry({ line, value: own }, note);
  const agent =
    textField(objectField(record, 'data'), 'agentId') ??
    textField(record, 'parentToolUseID') ??
    textField(record, 'toolUseID');
  return entry && { agent: agent ?? 'unnamed', entry };
}

/** What the result of a sub-agent says of it. */
export interface AgentResult {
  readonly agent: string;
  readonly line: number;
  /** Its last request at least; undefined where the result came before it was done. */
  readonly tokens: TokenCount | undefined;
}

/** The sub-agent whose result a line brings, if it is named. */
export function readAgentResult({ line, value }: JsonLine): AgentResult | undefined {
  const result = objectField(asObject(value), 'toolUseResult');
  const agent = textField(result, 'agentId');
  return agent === undefined ? undefined : { agent, line, tokens: usageWithin(field(result, 'usage')) };
}
