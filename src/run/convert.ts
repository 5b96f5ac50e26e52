import { createHash } from 'node:crypto';
import { quotedResults } from '../analysis/index.ts';
import type { CtxsimError } from '../errors.ts';
import { formats } from '../formats/index.ts';
import { type Block, type KnownNames, type Session, WordRemover } from '../session/index.ts';
import { writeNative } from '../session/native.ts';
import { loadTokenCounter, measureSession, needsCounter } from '../tokens/index.ts';
import { billableFiles, type ReadOptions } from './read.ts';
import { type CopyFacts, recordingOf, withoutCopies } from './recording.ts';

/** A session in the native format. */
export interface ConvertedSession {
  readonly session: Session;
  /** Its lines, without newlines. */
  readonly lines: readonly string[];
}

/** A session that was read, and the same without its words and its name. */
interface Found extends CopyFacts {
  readonly path: string;
  readonly parent: string | undefined;
  readonly nameless: Session;
}

/** Hexadecimal digits of the digest that names a content-free session: 64 bits tell more sessions apart than there are. */
const idDigits = 16;

/** Every session of every file in the native format, words and all. What cannot be read is added to `leftOut`. */
export async function* convertFiles(read: ReadOptions, leftOut: CtxsimError[]): AsyncGenerator<ConvertedSession> {
  const ids = new Set<string>();
  for await (const { sessions } of billableFiles(read, leftOut)) {
    for (const session of sessions) {
      const told = { ...session, id: unusedOf(session.id, ids), requests: withoutRepeatedIds(session) };
      yield { session: told, lines: [...writeNative(told)] };
    }
  }
}

/** The same without words. All files are read before the first session is handed out: a parent may come behind its children. */
export async function* convertContentFree(
  read: ReadOptions,
  leftOut: CtxsimError[],
  known: KnownNames = knownNames(),
): AsyncGenerator<ConvertedSession> {
  const remover = new WordRemover(known);
  const ids = new Set<string>();
  const idOf = new Map<string, string>();
  const found: Found[] = [];
  for await (const { path, sessions } of billableFiles(read, leftOut)) {
    for (const session of sessions) {
      const measured = needsCounter(session) ? measureSession(session, await loadTokenCounter()) : session;
      const nameless = remover.remove(measured, '-', quotedCalls(measured));
      const { id, parent, content } = session;
      found.push({ path, id, parent, nameless, recording: recordingOf(nameless), hasWords: content === 'text' });
    }
  }
  const whole = withoutCopies(
    found,
    (each) => each,
    ({ path }, kind) => {
      const where = kind === 'content-free-copy' ? 'its session is there with words' : 'its session is there';
      read.findings.add(kind, path, undefined, `${where}, and converted once`);
    },
  );
  const bare = whole.map(({ id: named, parent, nameless }) => {
    const id = unusedOf(digestOf(nameless), ids);
    if (!idOf.has(named)) idOf.set(named, id);
    return { session: { ...nameless, id }, parent };
  });
  for (const { session, parent } of bare) {
    if (parent !== undefined && !idOf.has(parent)) idOf.set(parent, `parent-of-${session.id}`);
    const own = parent === undefined ? session : { ...session, parent: idOf.get(parent) as string };
    yield { session: own, lines: [...writeNative(own)] };
  }
}

/** By block, the calls whose results it quotes: blocks may move, as where some that were not recorded are made up for. */
function quotedCalls(session: Session): Map<number, string[]> {
  const calls = new Map<number, string[]>();
  for (const [block, results] of quotedResults(session)) {
    const named = results.flatMap((result) => session.blocks[result]?.callId ?? []);
    if (named.length > 0) calls.set(block, named);
  }
  return calls;
}

/** Names that are no user's words: of the tools that harnesses ship, and of the harnesses. */
export function knownNames(): KnownNames {
  return {
    tools: new Set(formats.all.flatMap(({ tools }) => tools ?? [])),
    agents: new Set(formats.names),
  };
}

/**
 * A name that says nothing beside what the session says, the same for every copy of it: converted twice, it is billed once.
 * What is numbered over a run is no part of it, nor what a flag hides.
 */
function digestOf({ agent: _agent, agentVersion: _version, project: _project, ...session }: Session): string {
  const hash = createHash('sha256');
  const requests = session.requests.map(({ discarded, ...request }) =>
    discarded ? { ...request, discarded: discarded.map(withoutTool) } : request,
  );
  for (const line of writeNative({ ...session, blocks: session.blocks.map(withoutTool), requests }))
    hash.update(`${line}\n`);
  return hash.digest('hex').slice(0, idDigits);
}

/** Tools may be hidden or not. */
function withoutTool({ tool: _tool, ...block }: Block): Block {
  return block;
}

/** Two sessions of one name would be taken for copies of each other, and the second would not be billed. */
function unusedOf(id: string, ids: Set<string>): string {
  let unused = id;
  for (let copy = 2; ids.has(unused); copy += 1) unused = `${id}#${copy}`;
  ids.add(unused);
  return unused;
}

/** Two requests of one name would be taken for one that was recorded twice. */
function withoutRepeatedIds({ requests }: Session): Session['requests'] {
  const seen = new Set<string>();
  return requests.map((request) => {
    if (request.id === undefined) return request;
    const { id, ...nameless } = request;
    if (seen.has(id)) return nameless;
    seen.add(id);
    return request;
  });
}
