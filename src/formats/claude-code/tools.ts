import type { Block, ToolAction } from '../../session/index.ts';
import { type JsonObject, textField } from './records.ts';

interface Tool {
  readonly action: ToolAction;
  /** The input keys that say what the call is about. */
  readonly keys: readonly string[];
}

const tools: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['Read', { action: 'view', keys: ['file_path'] }],
  ['NotebookRead', { action: 'view', keys: ['notebook_path'] }],
  ['LS', { action: 'view', keys: ['path'] }],
  ['Edit', { action: 'edit', keys: ['file_path'] }],
  ['MultiEdit', { action: 'edit', keys: ['file_path'] }],
  ['NotebookEdit', { action: 'edit', keys: ['notebook_path'] }],
  ['Write', { action: 'write', keys: ['file_path'] }],
  ['Bash', { action: 'exec', keys: ['command'] }],
  ['PowerShell', { action: 'exec', keys: ['command'] }],
  ['Grep', { action: 'search', keys: ['pattern', 'path'] }],
  ['Glob', { action: 'search', keys: ['pattern', 'path'] }],
  ['WebFetch', { action: 'fetch', keys: ['url'] }],
  ['WebSearch', { action: 'search', keys: ['query'] }],
  ['web_search', { action: 'search', keys: ['query'] }],
  ['web_fetch', { action: 'fetch', keys: ['url'] }],
  ['ToolSearch', { action: 'search', keys: ['query'] }],
  ['Task', { action: 'agent', keys: ['description'] }],
  ['Agent', { action: 'agent', keys: ['description'] }],
  ['AskUserQuestion', { action: 'ask', keys: [] }],
  ['Skill', { action: 'skill', keys: ['skill', 'command'] }],
  ['TodoWrite', { action: 'todo', keys: [] }],
  ['TodoRead', { action: 'todo', keys: [] }],
  ['TaskCreate', { action: 'todo', keys: ['subject'] }],
  ['TaskUpdate', { action: 'todo', keys: [] }],
  ['TaskList', { action: 'todo', keys: [] }],
  ['TaskGet', { action: 'todo', keys: [] }],
]);

/** Tools that Claude Code ships, those whose calls say nothing of a kind that policies know included. */
export const toolNames: readonly string[] = [
  ...tools.keys(),
  ...['BashOutput', 'KillBash', 'KillShell', 'TaskOutput', 'TaskStop', 'SlashCommand', 'LSP', 'ReportFindings'],
  ...['EnterPlanMode', 'ExitPlanMode', 'advisor'],
];

/** What a call does and what it is about. Alternative keys are tried in order; a search names its pattern and its place. */
export function describeCall(name: string, input: JsonObject | undefined): Pick<Block, 'action' | 'target'> {
  const tool = tools.get(name);
  if (!tool) return { action: 'other' };
  const named = tool.keys.flatMap((key) => textField(input, key) ?? []);
  const target = tool.action === 'search' ? named.join(' ') : named[0];
  return target ? { action: tool.action, target } : { action: tool.action };
}
