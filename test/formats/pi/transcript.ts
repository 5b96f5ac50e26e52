import type { Source } from '../../../src/bytes/index.ts';
import { pi } from '../../../src/formats/pi/index.ts';
import { Findings } from '../../../src/session/findings.ts';
import { promptBlocks } from '../../../src/session/opening.ts';
import type { Session } from '../../../src/session/session.ts';

export type Line = Readonly<Record<string, unknown>>;

const start = Date.UTC(2026, 0, 1);

/** Time `seconds` after the start of the made-up session, as text. */
export const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

/** Milliseconds of that time. */
export const ms = (seconds: number): number => start + seconds * 1000;

export const header = (id = 's1', more: Line = {}): Line => ({
  type: 'session',
  version: 3,
  id,
  timestamp: at(0),
  cwd: '/work',
  ...more,
});

/** A header from before the tree. */
export const listHeader = (more: Line = {}): Line => header('s1', { version: undefined, ...more });

export const message = (role: string, body: Line): Line => ({ type: 'message', message: { role, ...body } });

export const user = (content: unknown, more: Line = {}): Line => message('user', { content, ...more });

export const text = (words: string): Line => ({ type: 'text', text: words });

export const call = (id: string, name = 'read', args: Line = { path: `${id}.ts` }): Line => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
});

export const result = (toolCallId: string, words = 'done', more: Line = {}): Line =>
  message('toolResult', { toolCallId, toolName: 'read', content: [text(words)], isError: false, ...more });

/** The counts of one answer: fresh, read, written, output. */
export type Tokens = readonly [input: number, cacheRead: number, cacheWrite: number, output: number];

export const usage = ([input, cacheRead, cacheWrite, output]: Tokens, more: Line = {}): Line => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  cacheWrite1h: 0,
  totalTokens: input + output + cacheRead + cacheWrite,
  ...more,
});

/** An answer with these counts; text stands for one text block. */
export function answer(tokens: Tokens, content: string | readonly Line[] = 'ok', more: Line = {}): Line {
  return message('assistant', {
    content: typeof content === 'string' ? [text(content)] : content,
    model: 'claude-x',
    provider: 'anthropic',
    usage: usage(tokens),
    stopReason: 'stop',
    ...more,
  });
}

/** An answer that was aborted. */
export const aborted = (tokens: Tokens, content: readonly Line[] = []): Line =>
  answer(tokens, content, { stopReason: 'aborted' });

/**
 * Lines behind a header, one second apart, each hanging on the one before unless it says otherwise. Answers were sent half a
 * second before their line was written. Ids are `e1`, `e2`, … by place.
 */
export function tree(lines: readonly Line[], head = header(), from = 1): Line[] {
  const linked = lines.map((line, index): Line => {
    const place = index + 1;
    return timed({ id: `e${place}`, parentId: place === 1 ? null : `e${place - 1}`, ...line }, from + index);
  });
  return [head, ...linked];
}

/** The same without ids, as the oldest files are. */
export function list(lines: readonly Line[], head = listHeader()): Line[] {
  return [head, ...lines.map((line, index) => timed(line, index + 1))];
}

function timed(line: Line, seconds: number): Line {
  const { message: body } = line as { message?: Line };
  const sent = body?.role === 'assistant' ? seconds - 0.5 : seconds;
  return {
    timestamp: at(seconds),
    ...line,
    ...(body && { message: { timestamp: ms(sent), ...body } }),
  };
}

export function sourceOf(values: readonly unknown[], path = 'session.jsonl'): Source {
  return {
    path,
    *records() {
      for (const [index, value] of values.entries()) yield { line: index + 1, value };
    },
  };
}

/** Reads values as one file of a run. */
export function readAll(values: readonly unknown[], seenRequests = new Set<string>(), path = 'session.jsonl') {
  const findings = new Findings();
  const sessions = [...pi.read(sourceOf(values, path), { findings, seenRequests })];
  return { sessions, findings };
}

/** Reads values that hold one session. */
export function read(values: readonly unknown[], seenRequests = new Set<string>(), path?: string) {
  const { sessions, findings } = readAll(values, seenRequests, path);
  const [session] = sessions;
  if (!session) throw new Error('no session');
  const counts = findings.list().map(({ kind, detail, count }) => [detail === '' ? kind : `${kind}: ${detail}`, count]);
  return { session, findings, counts: Object.fromEntries(counts) as Record<string, number> };
}

/** The usage of every request as [fresh, read, written, output]. */
export function usages(session: Session) {
  return session.requests.map(({ usage: it }) => it && [it.fresh, it.cacheRead, it.cacheWrite5m, it.output]);
}

/** Every block as `kind text`. */
export function outline(session: Session): string[] {
  return session.blocks.map((block) => `${block.kind} ${block.text ?? ''}`.trim());
}

/** What a request carries, as block texts. */
export function promptOf(session: Session, request: number): string[] {
  return promptBlocks(session, request).map((index) => session.blocks[index]?.text ?? '');
}
