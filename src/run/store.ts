import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CtxsimError } from '../errors.ts';
import type { SessionOutcome } from '../results/index.ts';
import type { Session } from '../session/index.ts';
import type { Executor, ScenarioJob } from './executor.ts';
import type { JobOptions, Origin } from './job.ts';

/** Outcomes of earlier runs. What it gives is what the replay would give. */
export interface OutcomeStore {
  /** The outcome that is kept for a key; undefined where there is none that can be trusted. */
  get(key: string): SessionOutcome | undefined;
  put(key: string, outcome: SessionOutcome): void;
}

/** What a store holds. */
export interface StoreFacts {
  readonly entries: number;
  readonly bytes: number;
}

/** Form of an entry: a first line that names it, with the key and the digest of the second line, the outcome. */
const form = 'ctxsim.outcome/1';

/** Entries are called by their key; a file that is called otherwise is none of ours. */
const entryName = /^[0-9a-f]{64}\.json$/;

/** What may be wrong with a store: an entry that is not what it says, or a folder in which nothing can be kept. */
export type StoreFault = 'bad-entry' | 'unwritable';

/**
 * A store in a folder, one file per entry. An entry appears whole or not at all, also where the process is killed; one that is
 * damaged or was written by something else counts as missing. A store that cannot be written costs time, no result: `onFault`
 * hears of both.
 */
export function openStore(folder: string, onFault: (fault: StoreFault, what: string) => void = () => {}): OutcomeStore {
  return {
    get(key) {
      const file = join(folder, `${key}.json`);
      const text = readIfThere(file);
      if (text === undefined) return undefined;
      const outcome = outcomeIn(text, key);
      if (outcome === undefined) onFault('bad-entry', file);
      return outcome;
    },
    put(key, outcome) {
      const text = textOf(outcome);
      if (text === undefined) return;
      const file = join(folder, `${key}.json`);
      const unfinished = `${file}.${process.pid}.tmp`;
      try {
        makeFolder(folder);
        writeFileSync(unfinished, `${JSON.stringify({ form, key, digest: digestOf(text) })}\n${text}\n`);
        renameSync(unfinished, file);
      } catch (error) {
        onFault('unwritable', (error as Error).message);
      }
    },
  };
}

/** Makes a folder and what it lies in, step by step: a recursive mkdir below /proc never returns (Node 20). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Entries of a store and their size, what a killed process left unfinished included. */
export function storeFacts(folder: string): StoreFacts {
  const files = filesIn(folder);
  return {
    entries: files.filter((name) => entryName.test(name)).length,
    bytes: files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  };
}

/** Removes every entry; whatever else lies in the folder stays. */
export function clearStore(folder: string): void {
  try {
    for (const name of filesIn(folder)) rmSync(join(folder, name));
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/**
 * Names an outcome by everything that decides it: the session's content, the settings of the job, the prices, and `basis`,
 * which names the code and what the job does not say. Undefined where a policy is a file of the user's: what it imports is
 * not known.
 */
export function outcomeKey(
  session: string,
  { rows, prices, ...settings }: JobOptions,
  basis: string,
): string | undefined {
  if (rows.some(({ kind }) => kind.file !== undefined)) return undefined;
  const policies = rows.map((row) => [row.kind.name, row.settings]);
  return digestOf(JSON.stringify([form, basis, session, policies, inOrder(settings), prices.id, prices.service]));
}

/** Names a session by its content, wherever its file lies. */
export function sessionDigest({ blocks, ...session }: Session): string {
  const hash = createHash('sha256').update(JSON.stringify(session));
  // One by one, because the text of a long session may be more than one string can hold.
  for (const block of blocks) hash.update(`\n${JSON.stringify(block)}`);
  return hash.digest('hex');
}

/** Where outcomes are kept from one run to the next, and what they rest on beside the job: see {@link outcomeKey}. */
export interface KeptOutcomes {
  readonly store: OutcomeStore;
  readonly basis: string;
}

/** The outcomes of a session under every scenario: from the store, or replayed and then kept there. */
export async function replayMissing(
  session: Session,
  origin: Origin,
  scenarios: readonly ScenarioJob[],
  executor: Executor,
  kept: KeptOutcomes | undefined,
): Promise<SessionOutcome[]> {
  const keys = kept ? keysOf(session, scenarios, kept.basis) : [];
  const known = scenarios.map((_, place) => {
    const key = keys[place];
    return key === undefined ? undefined : kept?.store.get(key);
  });
  const missing = scenarios.flatMap((_, place) => (known[place] ? [] : [place]));
  const replayed = missing.length > 0 ? await executor.replay(session, origin, missing) : [];
  for (const [at, outcome] of replayed.entries()) {
    const key = keys[missing[at] ?? -1];
    if (key !== undefined) kept?.store.put(key, outcome);
  }
  const { file, format } = origin;
  return known.flatMap((outcome) => (outcome ? { ...outcome, file, format } : (replayed.shift() ?? [])));
}

function keysOf(session: Session, scenarios: readonly ScenarioJob[], basis: string): (string | undefined)[] {
  const digest = sessionDigest(session);
  return scenarios.map(({ job }) => outcomeKey(digest, job, basis));
}

function outcomeIn(text: string, key: string): SessionOutcome | undefined {
  const [head = '', body = ''] = text.split('\n');
  if (head !== JSON.stringify({ form, key, digest: digestOf(body) })) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Undefined where a number in it has no JSON: it would come back as another. */
function textOf(outcome: SessionOutcome): string | undefined {
  let isPlain = true;
  const text = JSON.stringify(outcome, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) isPlain = false;
    return value;
  });
  return isPlain ? text : undefined;
}

function inOrder(settings: object): [string, unknown][] {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Entries, and unfinished ones. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => entryName.test(name.replace(/\.\d+\.tmp$/, '')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unwritable(folder, error);
  }
}

function unwritable(folder: string, error: unknown): CtxsimError {
  return new CtxsimError(
    'unwritable',
    `the store ${folder}: ${(error as Error).message}`,
    'Name another folder with --store DIR, or remove it by hand.',
  );
}
