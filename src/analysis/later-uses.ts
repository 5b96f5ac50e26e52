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
 * result. The latest result with that target or line counts. A session without words shows targets only.
 */
export function laterUses(session: Session): LaterUses {
  const uses = new Map<number, number[]>();
  const byTarget = new Map<string, number>();
  const byLine = new Map<string, number>();
  session.blocks.forEach((block, id) => {
    if (block.kind === 'result') {
      const target = block.action === 'edit' ? undefined : targetOf(block);
      if (target !== undefined) byTarget.set(target, id);
      for (const line of linesOf(block.text)) byLine.set(line, id);
      return;
    }
    if (block.kind !== 'call' && block.kind !== 'reply') return;
    const used = [
      block.kind === 'call' ? byTarget.get(targetOf(block) ?? '') : undefined,
      ...linesOf(block.text).map((line) => byLine.get(line)),
    ].filter((result) => result !== undefined);
    if (used.length > 0) uses.set(id, [...new Set(used)]);
  });
  return uses;
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
