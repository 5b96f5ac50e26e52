import type { ToolAction } from '../../session/index.ts';
import { firstText, type JsonRecord, listOf, parseRecord, recordOf, textOf } from './records.ts';

/** What a tool call does and to what. */
export interface ToolUse {
  readonly action: ToolAction;
  readonly target?: string;
}

const actions = new Map<string, ToolAction>([
  ['shell', 'exec'],
  ['local_shell', 'exec'],
  ['shell_command', 'exec'],
  ['container.exec', 'exec'],
  ['exec_command', 'exec'],
  ['write_stdin', 'exec'],
  ['exec', 'exec'],
  ['wait', 'exec'],
  ['js_repl', 'exec'],
  ['apply_patch', 'edit'],
  ['update_plan', 'todo'],
  ['view_image', 'view'],
  ['read_file', 'view'],
  ['read_mcp_resource', 'view'],
  ['list_dir', 'search'],
  ['grep_files', 'search'],
  ['web_search', 'search'],
  ['tool_search', 'search'],
  ['spawn_agent', 'agent'],
  ['wait_agent', 'agent'],
  ['send_input', 'agent'],
  ['resume_agent', 'agent'],
  ['close_agent', 'agent'],
  ['request_user_input', 'ask'],
  ['request_permissions', 'ask'],
]);

/** Tools that Codex ships. */
export const toolNames: readonly string[] = [...actions.keys(), 'image_generation', 'list_mcp_resources'];

/** Action and target of a call by its name and its arguments: a JSON text, a patch, or a script. */
export function describeCall(name: string, input: string): ToolUse {
  if (name === 'apply_patch') return describePatch(firstText(parseRecord(input).input) ?? input);
  if (name === 'exec') return describeScript(input);
  return describeArguments(name, parseRecord(input));
}

/** A shell command; one that only carries a patch is an edit. */
export function describeCommand(command: string): ToolUse {
  if (/^\s*(apply_patch|applypatch)\b/.test(command)) return describePatch(command);
  return { action: 'exec', target: command };
}

/** The command line of an argument list, without the shell that runs it. */
export function commandLine(command: unknown): string | undefined {
  if (typeof command === 'string') return textOf(command);
  const words = listOf(command).filter((word) => typeof word === 'string');
  const script = words[2];
  if (words.length === 3 && script !== undefined && /^-\w*c$/.test(words[1] ?? '')) return textOf(script);
  return textOf(words.join(' '));
}

/** The server's web search: a query, or a page that was opened. */
export function describeWebSearch(action: unknown): ToolUse {
  const { type, query, url } = recordOf(action);
  const target = firstText(url, query);
  return { action: type === 'open_page' || type === 'find_in_page' ? 'fetch' : 'search', ...(target && { target }) };
}

function describeArguments(name: string, args: JsonRecord): ToolUse {
  const action = actions.get(name) ?? 'other';
  const command = action === 'exec' ? commandLine(args.cmd ?? args.command) : undefined;
  if (command !== undefined) return describeCommand(command);
  const target = firstText(
    args.path,
    args.file_path,
    args.dir_path,
    args.pattern,
    args.query,
    args.url,
    args.message,
    args.uri,
  );
  return target === undefined ? { action } : { action, target };
}

/** A patch that only adds files writes them. */
function describePatch(patch: string): ToolUse {
  const headers = [...patch.matchAll(/\*\*\* (Add|Update|Delete) File: ([^\n\\"]+)/g)];
  const action = headers.length > 0 && headers.every((header) => header[1] === 'Add') ? 'write' : 'edit';
  const target = textOf(headers[0]?.[2]?.trim());
  return target === undefined ? { action } : { action, target };
}

/** In code mode the model writes a script that calls the tools: the first one in it names what the call does. */
function describeScript(script: string): ToolUse {
  const tool = /\btools\.([A-Za-z_]\w*)/.exec(script)?.[1];
  if (tool === 'apply_patch') return describePatch(script);
  if (tool === undefined || tool === 'exec_command') {
    const command = scriptCommand(script);
    return command === undefined ? { action: 'exec' } : describeCommand(command);
  }
  return { action: actions.get(tool) ?? 'other' };
}

/** The literal behind the first `cmd:` of a script; a command that the script computes is not known. */
function scriptCommand(script: string): string | undefined {
  const match = /["']?\bcmd["']?\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/.exec(script);
  if (!match) return undefined;
  return textOf((match[1] ?? match[2] ?? match[3] ?? '').replace(/\\([\s\S])/g, (_, it) => (it === 'n' ? '\n' : it)));
}
