import type { Block, ToolAction } from '../../session/index.ts';
import { type JsonRecord, textOf } from './records.ts';

interface Tool {
  readonly action: ToolAction;
  /** The arguments that say what the call is about. */
  readonly keys: readonly string[];
}

/** The tools that pi ships, and those of its forks. */
const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['read', { action: 'view', keys: ['path'] }],
  ['ls', { action: 'view', keys: ['path'] }],
  ['edit', { action: 'edit', keys: ['path'] }],
  ['write', { action: 'write', keys: ['path'] }],
  ['bash', { action: 'exec', keys: ['command'] }],
  ['python', { action: 'exec', keys: ['code'] }],
  ['grep', { action: 'search', keys: ['pattern', 'path'] }],
  ['find', { action: 'search', keys: ['pattern', 'path'] }],
  ['web_search', { action: 'search', keys: ['query'] }],
  ['fetch', { action: 'fetch', keys: ['url'] }],
  ['subagent', { action: 'agent', keys: ['agent'] }],
  ['task', { action: 'agent', keys: ['agent', 'description'] }],
  ['ask', { action: 'ask', keys: [] }],
  ['todo', { action: 'todo', keys: [] }],
]);

/** Tools that pi and its forks ship. */
export const toolNames: readonly string[] = [...tools.keys()];

/** What a call does and what it is about. Alternative arguments are tried in order; a search names its pattern and its place. */
export function describeCall(name: string, args: JsonRecord): Pick<Block, 'action' | 'target'> {
  const tool = tools.get(name);
  if (!tool) return { action: 'other' };
  const named = tool.keys.flatMap((key) => textOf(args[key]) ?? []);
  const target = tool.action === 'search' ? named.join(' ') : named[0];
  return target ? { action: tool.action, target } : { action: tool.action };
}

/** The exit status that pi writes behind the output of a command that failed. */
export function exitCodeOf(tool: string | undefined, text: string): number | undefined {
  const code = tool === 'bash' ? /(?:^|\n)Command exited with code (-?\d{1,10})\s*$/.exec(text)?.[1] : undefined;
  return code === undefined ? undefined : Number(code);
}
