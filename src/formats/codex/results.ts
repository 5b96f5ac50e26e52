import { joinParts, readContent } from './content.ts';
import { isRecord, type JsonRecord, numberOf, parseRecord, recordOf } from './records.ts';

/** What a tool output says: the text that the model gets, and what the harness recorded about it. */
export interface ToolResult {
  readonly text: string;
  readonly images?: number;
  readonly exitCode?: number;
  readonly isError?: true;
}

const failures = [
  'apply_patch verification failed',
  'exec_command failed',
  'failed to parse function arguments',
  'collab spawn failed',
  'unsupported call',
  'Script failed',
];

/** Reads the `output` of any tool output item: a text, a JSON text, a list of parts, or `{content, success}`. */
export function readResult(output: unknown): ToolResult {
  const { parts, images } = readContent(output);
  const text = joinParts(parts);
  const exitCode = exitCodeOf(parts);
  const failed = recordOf(output).success === false || failures.some((start) => text.startsWith(start));
  return {
    text,
    ...(images > 0 && { images }),
    ...(exitCode !== undefined && { exitCode }),
    ...(failed && { isError: true as const }),
  };
}

/** From the header that the harness puts above the output, or from the JSON that holds it. */
function exitCodeOf(parts: readonly string[]): number | undefined {
  for (const part of parts) {
    const code = exitCodeInHeader(part) ?? exitCodeInJson(parseRecord(part));
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The header ends at its line "Output:"; what a command prints below may look like a header and is not one. */
function exitCodeInHeader(text: string): number | undefined {
  if (!/^(Command: |Chunk ID: |Exit code: |Wall time: |Process exited )/.test(text)) return undefined;
  const end = text.search(/^Output:$/m);
  const header = end === -1 ? text : text.slice(0, end);
  const code = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/m.exec(header)?.[1];
  return code === undefined ? undefined : Number(code);
}

function exitCodeInJson(record: JsonRecord): number | undefined {
  const metadata = isRecord(record.metadata) ? record.metadata : record;
  const code = numberOf(metadata.exit_code);
  return code === undefined || !Number.isInteger(code) ? undefined : code;
}
