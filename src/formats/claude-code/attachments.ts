import {
  asObject,
  compactJson,
  field,
  type JsonObject,
  listField,
  objectField,
  objectsOf,
  textField,
  textsOf,
} from './records.ts';

type Render = (attachment: JsonObject) => string;

const nothing: Render = () => '';
const ofContent: Render = (attachment) =>
  textField(attachment, 'content') ?? textsOf(field(attachment, 'content')).join('\n');
const lines =
  (...keys: string[]): Render =>
  (attachment) =>
    keys.flatMap((key) => textsOf(field(attachment, key))).join('\n');
const json =
  (key: string): Render =>
  (attachment) =>
    listField(attachment, key).length === 0 ? '' : compactJson(field(attachment, key));
const fileText: Render = (attachment) => {
  const content = objectField(attachment, 'content');
  const text = textField(objectField(content, 'file'), 'content') ?? textField(content, 'content');
  return [textField(attachment, 'filename') ?? textField(attachment, 'path'), text].filter(Boolean).join('\n');
};

/** Hooks whose output the model sees; that of the others goes to the screen. */
const seenHooks = new Set(['SessionStart', 'UserPromptSubmit']);

/** What each kind of attachment adds to the context: its own words, without the sentences the harness wraps around them. */
const renders: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['file', fileText],
  ['nested_memory', fileText],
  ['edited_text_file', (a) => [textField(a, 'filename'), textField(a, 'snippet')].filter(Boolean).join('\n')],
  ['already_read_file', (a) => textField(a, 'filename') ?? ''],
  ['compact_file_reference', (a) => textField(a, 'filename') ?? ''],
  ['directory', (a) => [textField(a, 'path'), textField(a, 'content')].filter(Boolean).join('\n')],
  ['skill_listing', ofContent],
  ['hook_additional_context', ofContent],
  ['hook_success', (a) => (seenHooks.has(textField(a, 'hookEvent') ?? '') ? ofContent(a) : '')],
  ['hook_blocking_error', (a) => textField(objectField(a, 'blockingError'), 'blockingError') ?? ofContent(a)],
  ['deferred_tools_delta', lines('addedLines', 'removedNames')],
  ['agent_listing_delta', lines('addedLines', 'removedTypes')],
  ['mcp_instructions_delta', lines('addedBlocks', 'removedNames')],
  ['task_reminder', json('content')],
  ['todo_reminder', json('content')],
  ['todo', json('content')],
  ['diagnostics', json('files')],
  ['total_tokens_reminder', (a) => textField(a, 'text') ?? ''],
  ['date_change', (a) => textField(a, 'newDate') ?? ''],
  [
    'invoked_skills',
    (a) =>
      objectsOf(field(a, 'skills'))
        .flatMap((skill) => textField(skill, 'content') ?? [])
        .join('\n'),
  ],
  ['plan_mode', ofContent],
  ['hook_system_message', nothing],
  ['hook_non_blocking_error', nothing],
  ['hook_cancelled', nothing],
  ['hook_error_during_execution', nothing],
  [
    'async_hook_response',
    (a) => textField(objectField(objectField(a, 'response'), 'hookSpecificOutput'), 'additionalContext') ?? '',
  ],
  ['command_permissions', nothing],
  ['auto_mode', nothing],
]);

/** The text that an attachment adds to the context; `known` is false for a kind that was never seen. */
export function attachmentText(attachment: JsonObject): { text: string; known: boolean } {
  const render = renders.get(textField(attachment, 'type') ?? '');
  return render ? { text: render(attachment), known: true } : { text: guess(attachment), known: false };
}

function guess(attachment: JsonObject): string {
  for (const key of ['content', 'text', 'prompt', 'snippet']) {
    const value = field(attachment, key);
    if (typeof value === 'string') return value;
    if (asObject(value) || Array.isArray(value)) return compactJson(value);
  }
  return '';
}

/** True for an attachment with which a person interrupts a running turn: there is no user line for it. */
export function isQueuedPrompt(attachment: JsonObject): boolean {
  return textField(attachment, 'type') === 'queued_command' && textField(attachment, 'commandMode') === 'prompt';
}
