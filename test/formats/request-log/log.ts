import type { ColumnMap } from '../../../src/column-map.ts';
import { requestLog } from '../../../src/formats/request-log/index.ts';
import { type Finding, Findings } from '../../../src/session/findings.ts';
import type { Session } from '../../../src/session/session.ts';

/** The sessions of a log whose rows are given as objects. */
export async function readLog(
  values: readonly unknown[],
  map?: ColumnMap,
  seenRequests = new Set<string>(),
): Promise<{ sessions: Session[]; findings: Finding[] }> {
  const findings = new Findings();
  const records = () => values.map((value, index) => ({ line: index + 2, value }));
  const context = { findings, seenRequests, map };
  const sessions: Session[] = [];
  for await (const session of requestLog.read({ path: 'log.csv', records }, context)) sessions.push(session);
  return { sessions, findings: findings.list() };
}

/** One row; a turn starts where `kind` is text. */
export function row(session: string, time: number, input: number, output: number, kind = 'tool_result') {
  return { session, time, model: 'claude-sonnet-4-6', input, output, kind };
}

/** The session's blocks as `kind tokens`. */
export function blocksOf(session: Session | undefined): string[] {
  return (session?.blocks ?? []).map(({ kind, size }) => `${kind} ${size?.tokens}`);
}
