import { defaultLocations, findInputs, type Location, parseTime } from '../bytes/index.ts';
import { parseColumnMap } from '../column-map.ts';
import { CtxsimError } from '../errors.ts';
import type { ReadOptions, Selection } from '../run/index.ts';
import { Findings } from '../session/index.ts';
import type { Io } from './io.ts';
import { progressOf } from './progress.ts';

/** Options of every command that reads transcripts. */
export interface InputFlags {
  readonly inputFormat?: string;
  readonly map?: string;
  readonly agent?: readonly string[];
  readonly project?: readonly string[];
  readonly since?: string;
  readonly last?: string;
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
    selection: selectionOf(flags),
    last: flags.last === undefined ? undefined : durationOf(flags.last),
    findings: new Findings(),
    onFile: progressOf(io, flags.quiet === true),
  };
}

/** The flags that say which sessions are wanted, for a command to be repeated. */
export function selectionFlags({ agent = [], project = [], since, last }: InputFlags): string[] {
  return [
    ...agent.flatMap((name) => ['--agent', name]),
    ...project.flatMap((name) => ['--project', name]),
    ...(since === undefined ? [] : ['--since', since]),
    ...(last === undefined ? [] : ['--last', last]),
  ];
}

function selectionOf({ agent, project, since, last }: InputFlags): Selection | undefined {
  if (agent === undefined && project === undefined && since === undefined) return undefined;
  if (since !== undefined && last !== undefined)
    throw new CtxsimError('bad-last', '--since and --last say the same thing', 'Leave one of the two out.');
  return { agents: agent, projects: project, since: since === undefined ? undefined : momentOf(since) };
}

function momentOf(text: string): number {
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new CtxsimError('bad-date', `--since ${text}: no such day`, 'Write a day (UTC): 2026-03-01.');
}

/** Milliseconds of what `--last` counts in. */
const spans: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function durationOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  const span = spans[unit];
  if (span !== undefined) return Number(count) * span;
  throw new CtxsimError('bad-last', `--last ${text}: no such span`, 'Write 30d for days, 12h for hours, 4w for weeks.');
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
