import type { Block, Session, ToolAction } from '../session/index.ts';

/** Shorter lines stand in any two texts by chance: a closing brace, an import, a heading. */
const shortestQuote = 24;

/** Tools that bring in content; done again with the same target they read again. An edit needs what a view of its file showed. */
const sources: Partial<Record<ToolAction, string>> = {
  view: 'file',
  edit: 'file',
  search: 'search',
  fetch: 'fetch',
  exec: 'exec',
};

/** By block, the earlier results that it shows were still needed. */
export type LaterUses = ReadonlyMap<number, readonly number[]>;

/**
 * Where results are used again: a call reads the same target again or edits it, or a call or a reply quotes a line of the
 * result. The latest result with that target or line counts. What a block without words quoted stands in `quotes`.
 */
export function laterUses(session: Session): LaterUses {
  const uses = new Map<number, number[]>();
  const byTarget = new Map<string, number>();
  const quotes = quotedResults(session);
  session.blocks.forEach((block, id) => {
    if (block.kind === 'result') {
      const target = block.action === 'edit' ? undefined : targetOf(block);
      if (target !== undefined) byTarget.set(target, id);
      return;
    }
    const repeated = block.kind === 'call' ? byTarget.get(targetOf(block) ?? '') : undefined;
    const used = [...(repeated === undefined ? [] : [repeated]), ...(quotes.get(id) ?? [])];
    if (used.length > 0) uses.set(id, [...new Set(used)]);
  });
  return uses;
}

/** By call or reply, the earlier results that it repeats a line of, each once. */
export function quotedResults(session: Session): LaterUses {
  const quotes = new Map<number, number[]>();
  const byLine = new Map<string, number>();
  const byCall = new Map<string, number>();
  session.blocks.forEach((block, id) => {
    if (block.kind === 'result') {
      if (block.callId !== undefined) byCall.set(block.callId, id);
      for (const line of linesOf(block.text)) byLine.set(line, id);
      return;
    }
    if (block.kind !== 'call' && block.kind !== 'reply') return;
    const found = block.quotes?.map((call) => byCall.get(call)) ?? linesOf(block.text).map((line) => byLine.get(line));
    const quoted = new Set(found.filter((result) => result !== undefined));
    if (quoted.size > 0) quotes.set(id, [...quoted]);
  });
  return quotes;
}

function targetOf({ action, target }: Block): string | undefined {
  const source = action && sources[action];
  return source === undefined || target === undefined || target === '' ? undefined : `${source}\n${target}`;
}

/** Numbers that tools put before lines: `12→`, `12:`, `12|`, `path:12:`. */
const lineNumber = /^(?:[\w./-]+:)?\s*\d+\s*(?:→|\t|:|\|)/;

/** Lines long enough to be a quote. The text of a call is JSON, in which a line break is written out. */
function linesOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .split(/\n|\\n/)
    .map((line) => line.replaceAll('\\"', '"').replaceAll('\\t', '\t').replace(lineNumber, '').trim())
    .filter((line) => line.length >= shortestQuote);
}
