import { statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { CtxsimError } from '../errors.ts';
import { compareText, type Findings } from '../session/index.ts';
import { type Input, uniqueInputs } from './unique.ts';
import { isBeside, isSubAgent, walkDirectory } from './walk.ts';

/** Where relative paths start, and where duplicates are counted. */
export interface FindOptions {
  readonly cwd: string;
  readonly findings: Findings;
}

/**
 * The transcripts that the user's paths name: files as they are, directories searched, globs expanded, `-` for standard input.
 * Sessions come before the sub-agents they started, each file once.
 */
export function findInputs(paths: readonly string[], { cwd, findings }: FindOptions): Input[] {
  const named = paths.flatMap((path) => expand(path, cwd, findings));
  const unique = uniqueInputs(named, findings);
  return [...unique.filter(({ path }) => !isSubAgent(path)), ...unique.filter(({ path }) => isSubAgent(path))];
}

function expand(path: string, cwd: string, findings: Findings): Input[] {
  if (path === '')
    throw new CtxsimError('no-match', 'a path is empty', 'An unset variable in the shell gives one; name the file.');
  if (path === '-') return [{ path, file: '-' }];
  const file = resolve(cwd, path);
  const kind = kindOf(file);
  // What exists under exactly this name wins over what the name would mean as a pattern.
  if (kind === 'file') return [{ path, file }];
  if (kind === 'directory') return expandDirectory(path, cwd, findings);
  const pattern = sep === '\\' ? path.replaceAll('\\', '/') : path;
  if (fastGlob.isDynamicPattern(pattern)) return expandGlob(path, pattern, cwd, findings);
  throw new CtxsimError(
    'no-match',
    `there is no file or directory ${path}`,
    'Check the path, or quote a glob such as "logs/**/*.jsonl".',
  );
}

function expandDirectory(path: string, cwd: string, findings: Findings): Input[] {
  const root = resolve(cwd, path);
  const found = walkDirectory(root, findings);
  if (found.length === 0) {
    throw new CtxsimError(
      'no-transcripts',
      `no transcripts in ${path}`,
      'A directory is searched for .jsonl and .json files, gzipped or not; name a file directly if it ends otherwise.',
    );
  }
  return found.map((file) => ({ path: isAbsolute(path) ? file : join(path, relative(root, file)), file }));
}

function expandGlob(path: string, pattern: string, cwd: string, findings: Findings): Input[] {
  const matches = fastGlob.sync(pattern, { cwd, dot: true, onlyFiles: false, suppressErrors: true, unique: true });
  const found = matches.sort(compareText).flatMap((match) => {
    const file = resolve(cwd, match);
    if (kindOf(file) !== 'directory') return isBeside(match) ? [] : [{ path: match, file }];
    return walkDirectory(file, findings).map((below) => ({ path: join(match, relative(file, below)), file: below }));
  });
  if (found.length === 0) {
    throw new CtxsimError(
      'no-match',
      `nothing matches ${path}`,
      'Check the pattern; ** crosses directories, * does not.',
    );
  }
  return found;
}

function kindOf(file: string): 'file' | 'directory' | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return undefined;
    return stat.isDirectory() ? 'directory' : 'file';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A file is no folder, and a name can be too long for one: then there is nothing of that name.
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new CtxsimError(
      'unreadable',
      `cannot read ${file}: ${message}`,
      'Check the path, its links and its permissions.',
    );
  }
}
