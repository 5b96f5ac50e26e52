import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openFile, type Source } from '../../src/bytes/index.ts';
import { codex } from '../../src/formats/codex/index.ts';
import { isRecord, type JsonRecord } from '../../src/formats/codex/records.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns, type Request, type Session } from '../../src/session/session.ts';
import { addUsage, zeroUsage } from '../../src/session/usage.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const corpus = `${shared}/corpus`;

interface Sums {
  readonly turns: number;
  readonly requests: number;
  readonly fresh: number;
  readonly cacheRead: number;
  readonly output: number;
}

interface Row {
  readonly file: string;
  readonly compactions: number;
  readonly sums: Sums;
}

/** These two begin with what they copied from their parent, which was billed there: so many requests. The index counts their own. */
const forks = new Map([
  ['019d7e30-2f7a-7f60-a942-c59ab0be98d9', 54],
  ['019d7e48-96e2-77a0-b4ce-607c7aba4b96', 165],
]);
const parentOfForks = 'edits/codex/entireio__git-sync/019d7d08-46c9-7f73-affe-4e6ca9852d56.jsonl';

const rows = existsSync(corpus) ? ['index.csv', 'edits.csv'].flatMap(readRows) : [];
const originals = rows.filter((row) => copiesIn(row) === 0);

describe.skipIf(rows.length === 0)('codex corpus', () => {
  it('holds 17 sessions and 10 whose past changed', () => {
    expect(rows).toHaveLength(27);
  });

  it.each(originals.map((row) => [row.file, row] as const))('reads %s as the index counts it', (_, row) => {
    const { session } = read(open(row.file));
    expect(sumsOf(session)).toEqual(row.sums);
    expect(session.segments.filter((it) => it.reason === 'compaction')).toHaveLength(row.compactions);
    expectSound(session);
  });

  describe.each(rows.filter((row) => copiesIn(row) > 0))('the fork $file', (row) => {
    const copied = copiesIn(row);

    it('has the requests of its own that the index counts', () => {
      const { turns: _prompts, ...own } = sumsOf(read(open(row.file)).session);
      expect(row.sums).toMatchObject(own);
    });

    it('drops exactly the requests that its parent holds', () => {
      const { session, findings } = read(open(row.file));
      const all = usages(read(asOriginal(open(row.file))).session.requests);
      const parent = usages(read(open(parentOfForks)).session.requests);
      expect(session.parent).toBe('019d7d08-46c9-7f73-affe-4e6ca9852d56');
      expect(findings.count('copied-request')).toBe(copied);
      expect(usages(session.requests)).toEqual(all.slice(copied));
      expect(all.slice(0, copied)).toEqual(parent.slice(0, copied));
      expect(all[copied]).not.toEqual(parent[copied]);
      expectSound(session);
    });
  });

  it('joined in one stream, parts of each before or behind it, is the same as apart', () => {
    const apart = sessionsOf(rows.map((row) => open(row.file)));
    const parts = rows.flatMap((row, at) => {
      const part = firstLines(open(row.file), 40 + at * 7);
      return at % 2 === 0 ? [part, open(row.file)] : [open(row.file), part];
    });
    const together = sessionsOf([joined(parts)]);
    expect(together.map((session) => [session.id, sumsOf(session)])).toEqual(
      apart.map((session) => [session.id, sumsOf(session)]),
    );
    expect(together).toEqual(apart);
  });

  it('bills the same whatever the order of the files', () => {
    const forward = billOf(rows);
    expect(billOf([...rows].reverse())).toEqual(forward);
    const alone = rows.map((row) => usageOf(read(open(row.file)).session.requests));
    expect(forward).toEqual(alone.reduce(addUsage));
  });

  it('bills nothing twice when every file is there twice', () => {
    expect(billOf([...rows, ...rows])).toEqual(billOf(rows));
  });

  it('finds nothing that it does not know', () => {
    const findings = new Findings();
    for (const row of rows) read(open(row.file), findings);
    const kinds = new Set(findings.list().map((it) => it.kind));
    expect([...kinds]).toEqual([
      'compaction-request-not-recorded',
      'copied-request',
      'prompt-shrank',
      'request-without-usage',
      'unanswered-call',
    ]);
    expect(findings.count('unanswered-call')).toBe(2);
    expect(findings.count('request-without-usage')).toBe(5);
    expect(findings.count('compaction-request-not-recorded')).toBe(20);
  });
});

function readRows(name: string): Row[] {
  const [head = '', ...lines] = readFileSync(`${corpus}/${name}`, 'utf8').trim().split('\n');
  const columns = head.split(',');
  return lines.flatMap((line) => {
    const cells = line.split(',');
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    if (cell('format') !== 'codex') return [];
    const sums = {
      turns: Number(cell('human_turns')),
      requests: Number(cell('requests')),
      fresh: Number(cell('input')),
      cacheRead: Number(cell('cache_read')),
      output: Number(cell('output')),
    };
    return [{ file: cell('file'), compactions: Number(cell('compactions')), sums }];
  });
}

function copiesIn(row: Row): number {
  return [...forks].find(([id]) => row.file.includes(id))?.[1] ?? 0;
}

function open(file: string): Source {
  return openFile(`${corpus}/${file}`, new Findings());
}

/** The same lines without the header fields and the second header that tell a fork. */
function asOriginal(source: Source): Source {
  return {
    path: source.path,
    *records() {
      let isFirst = true;
      for (const { line, value } of source.records()) {
        const isHeader = isRecord(value) && value.type === 'session_meta';
        if (!isHeader) yield { line, value };
        else if (isFirst) yield { line, value: withoutParent(value) };
        isFirst &&= !isHeader;
      }
    },
  };
}

function withoutParent(value: JsonRecord): JsonRecord {
  const { forked_from_id, source, parent_thread_id, ...payload } = isRecord(value.payload) ? value.payload : {};
  return { ...value, payload };
}

function read(source: Source, findings = new Findings(), seenRequests = new Set<string>()) {
  const [session] = codex.read(source, { findings, seenRequests });
  if (!session) throw new Error(`no session in ${source.path}`);
  return { session, findings };
}

function sessionsOf(sources: readonly Source[]): Session[] {
  const context = { findings: new Findings(), seenRequests: new Set<string>() };
  return sources.flatMap((source) => [...codex.read(source, context)]);
}

function joined(sources: readonly Source[]): Source {
  return {
    path: '-',
    *records() {
      for (const source of sources) yield* source.records();
    },
  };
}

/** A file as it was when it had so many lines. */
function firstLines(source: Source, count: number): Source {
  return {
    path: source.path,
    *records() {
      for (const row of source.records()) {
        if (row.line > count) return;
        yield row;
      }
    },
  };
}

function billOf(files: readonly Row[]) {
  const context = { findings: new Findings(), seenRequests: new Set<string>() };
  const sessions = files.flatMap((row) => [...codex.read(open(row.file), context)]);
  return usageOf(sessions.flatMap((session) => session.requests));
}

function usages(requests: readonly Request[]) {
  return requests.map((request) => request.usage);
}

function usageOf(requests: readonly Request[]) {
  return requests.reduce((sum, request) => addUsage(sum, request.usage ?? zeroUsage), zeroUsage);
}

function sumsOf(session: Session): Sums {
  const { fresh, cacheRead, output } = usageOf(session.requests);
  return { turns: humanTurns(session), requests: session.requests.length, fresh, cacheRead, output };
}

/** What must hold of every session: requests in order, each with a model and a time, every result with its call. */
function expectSound(session: Session): void {
  for (const [at, request] of session.requests.entries()) {
    expect(request.outputs).toBeGreaterThan(0);
    expect(request.at).toBeGreaterThanOrEqual(session.requests[at - 1]?.at ?? 0);
    expect(request.time).toBeGreaterThanOrEqual(session.requests[at - 1]?.time ?? 0);
    expect(request.model).toBeDefined();
  }
  const results = session.blocks.filter((block) => block.kind === 'result');
  expect(results.filter((block) => block.tool === undefined)).toEqual([]);
}
