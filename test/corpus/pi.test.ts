import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../src/bytes/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns, type Session } from '../../src/session/session.ts';
import { addUsage, promptTokens, zeroUsage } from '../../src/session/usage.ts';
import { countSession, loadTokenCounter, measureSession } from '../../src/tokens/index.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const corpus = join(shared, 'corpus');

interface Sums {
  readonly turns: number;
  readonly requests: number;
  readonly fresh: number;
  readonly cacheRead: number;
  readonly written: number;
  readonly output: number;
}

interface Row {
  readonly file: string;
  readonly compactions: number;
  readonly sums: Sums;
}

/** Where the index and this reader rightly differ. */
const differences: Readonly<Record<string, Partial<Sums & { compactions: number }>>> = {
  // The index lost the last line, on which an answer and a compaction stand; and it counts six that never began.
  'compact_2638daee.jsonl': {
    requests: 1 - 6,
    compactions: 1,
    fresh: 1,
    cacheRead: 130_604,
    written: 512,
    output: 23,
  },
  // The index counts 14 requests that were aborted before an answer began.
  'large-session_d703a1a9.jsonl': { requests: -14 },
  // The index counts the task of a sub-agent, which its line says an agent wrote.
  '01a01d30-1823-7000-b6cd-4da3f0a051a5.jsonl': { turns: -1 },
};

const rows = existsSync(join(corpus, 'index.csv')) ? readRows() : [];

describe.skipIf(rows.length === 0)('pi corpus', () => {
  it('holds 3 sessions', () => {
    expect(rows).toHaveLength(3);
  });

  it.each(rows.map((row) => [row.file, row] as const))('reads %s as the index counts it', (file, row) => {
    const { session } = read(file);
    const known = differences[file.split('/').at(-1) ?? ''] ?? {};
    const plus = (key: keyof Sums) => row.sums[key] + (known[key] ?? 0);
    expect(sumsOf(session)).toEqual({
      turns: plus('turns'),
      requests: plus('requests'),
      fresh: plus('fresh'),
      cacheRead: plus('cacheRead'),
      written: plus('written'),
      output: plus('output'),
    });
    const compactions = session.segments.filter(({ reason }) => reason === 'compaction').length;
    expect(compactions).toBe(row.compactions + (known.compactions ?? 0));
    expect(session.blocks.filter((block) => block.kind === 'result' && block.action === undefined)).toEqual([]);
    expect(session.requests.every(({ time, model, usage }) => time && model && usage)).toBe(true);
  });

  it('bills nothing twice when every file is there twice', () => {
    const context = { findings: new Findings(), seenRequests: new Set<string>() };
    const sources = [...rows, ...rows].map(({ file }) => openFile(join(corpus, file), context.findings));
    const requests = sources.flatMap((source) => [...pi.read(source, context)].flatMap((session) => session.requests));
    expect(requests).toHaveLength(rows.reduce((sum, { file }) => sum + read(file).session.requests.length, 0));
  });

  it('finds nothing that it does not know', () => {
    const counts = rows.map(({ file }) =>
      Object.fromEntries(
        read(file)
          .findings.list()
          .map(({ kind, count }) => [kind, count]),
      ),
    );
    expect(counts).toEqual([
      {
        'compaction-request-not-recorded': 2,
        'fused-line': 1,
        'request-without-usage': 6,
        'unanswered-call': 3,
        'write-ttl-unknown': 494,
      },
      { 'prompt-shrank': 3, 'request-without-usage': 14, 'write-ttl-unknown': 439 },
      {},
    ]);
  });

  it('knows what is carried: prompts grow by what was appended, but for the three that shrank', async () => {
    const counter = await loadTokenCounter();
    const edits = rows.map(({ file }) => countSession(measureSession(read(file).session, counter)).fit?.edits);
    expect(edits.map((list) => list?.length)).toEqual([0, 3, 0]);
  });
});

function readRows(): Row[] {
  const [head = '', ...lines] = readFileSync(join(corpus, 'index.csv'), 'utf8').trim().split('\n');
  const columns = head.split(',');
  return lines.flatMap((line) => {
    const cells = line.split(',');
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    if (cell('format') !== 'pi') return [];
    const sums = {
      turns: Number(cell('human_turns')),
      requests: Number(cell('requests')),
      fresh: Number(cell('input')),
      cacheRead: Number(cell('cache_read')),
      written: Number(cell('cache_write')),
      output: Number(cell('output')),
    };
    return [{ file: cell('file'), compactions: Number(cell('compactions')), sums }];
  });
}

function read(file: string) {
  const findings = new Findings();
  const [session] = pi.read(openFile(join(corpus, file), findings), { findings, seenRequests: new Set() });
  if (!session) throw new Error(`no session in ${file}`);
  return { session, findings };
}

function sumsOf(session: Session): Sums {
  const billed = [...session.requests, ...session.abandoned];
  const usage = billed.reduce((sum, request) => addUsage(sum, request.usage ?? zeroUsage), zeroUsage);
  return {
    turns: humanTurns(session),
    requests: billed.length,
    fresh: usage.fresh,
    cacheRead: usage.cacheRead,
    written: promptTokens(usage) - usage.fresh - usage.cacheRead,
    output: usage.output,
  };
}
