import { defaultLocations, findInputs, type Location } from '../bytes/index.ts';
import { parseColumnMap } from '../column-map.ts';
import { CtxsimError } from '../errors.ts';
import type { ReadOptions } from '../run/index.ts';
import { Findings } from '../session/index.ts';
import type { Io } from './io.ts';
import { progressOf } from './progress.ts';

/** Options of every command that reads transcripts. */
export interface InputFlags {
  readonly inputFormat?: string;
  readonly map?: string;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
}

/** What to read: the paths given, or the places where installed agents keep their sessions. */
export function readOptions(io: Io, paths: readonly string[], flags: InputFlags): ReadOptions {
  return {
    paths: paths.length > 0 ? paths : installedPaths(io),
    cwd: io.cwd(),
    inputFormat: flags.inputFormat,
    map: flags.map === undefined ? undefined : parseColumnMap(flags.map),
    findings: new Findings(),
    onFile: progressOf(io, flags.quiet === true),
  };
}

/** Directories of installed agents that hold at least one transcript. */
export function installedLocations(io: Io): Location[] {
  return defaultLocations(io.env, io.home, (path) => {
    try {
      return findInputs([path], { cwd: io.cwd(), findings: new Findings() }).length > 0;
    } catch (error) {
      if (error instanceof CtxsimError) return false;
      throw error;
    }
  });
}

function installedPaths(io: Io): string[] {
  const found = installedLocations(io).map(({ path }) => path);
  if (found.length > 0) return found;
  throw new CtxsimError(
    'no-match',
    'no paths were given, and none of Claude Code, Codex and pi keeps sessions here',
    'Name files, directories or globs, for example: ctxsim replay "sessions/**/*.jsonl"',
  );
}
