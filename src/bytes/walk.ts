import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { compareText, type Findings } from '../session/index.ts';
import { isStoredResult } from './stored-result.ts';

/** Folders that never hold transcripts, or hold too much else to search. */
const skippedFolders = new Set(['tool-results', 'memory', 'node_modules', '.git']);
/** Files that stand beside transcripts and are none: prompts only, statistics, workflow logs. */
const skippedFiles = new Set(['journal.jsonl', 'history.jsonl', 'stats-cache.json']);

/** True for a file that is no transcript whatever its ending (reader contract, rule 16). */
export function isBeside(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const name = parts.pop() ?? '';
  return name.endsWith('.meta.json') || skippedFiles.has(name) || parts.some((part) => skippedFolders.has(part));
}

/** True for the transcript of a sub-agent: it is read after the session that started it. */
export function isSubAgent(path: string): boolean {
  return basename(path).startsWith('agent-') || /[\\/]subagents[\\/]/.test(path);
}

/** The transcripts below a directory, sorted by code unit. Links are followed; a directory that was seen is not entered again. */
export function walkDirectory(root: string, findings: Findings): string[] {
  const found: string[] = [];
  const entered = new Set<string>();
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const real = attempt(() => realpathSync(folder as string));
    if (real === undefined || entered.has(real)) continue;
    entered.add(real);
    for (const entry of entriesOf(folder, findings)) {
      const path = join(folder, entry.name);
      const kind = entry.isSymbolicLink() ? attempt(() => statSync(path)) : entry;
      if (kind?.isDirectory()) {
        if (!skippedFolders.has(entry.name)) waiting.push(path);
      } else if (kind?.isFile() && /\.jsonl?(\.gz)?$/.test(entry.name) && !isBeside(entry.name)) {
        if (isStoredResult(path)) findings.add('stored-result', path);
        else found.push(path);
      }
    }
  }
  return found.sort((a, b) => compareText(a.split(sep).join('/'), b.split(sep).join('/')));
}

/** A folder that cannot be read is counted, and must not hide the others. */
function entriesOf(folder: string, findings: Findings): Dirent[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === undefined) findings.add('unreadable-directory', folder);
  return entries ?? [];
}

/** A link that leads nowhere must not hide the others. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
