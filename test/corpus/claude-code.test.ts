import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/bytes/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns } from '../../src/session/session.ts';
import { addUsage, type Usage, zeroUsage } from '../../src/session/usage.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const corpus = join(shared, 'corpus');

interface Expected {
  readonly file: string;
  readonly turns: number;
  readonly requests: number;
  readonly usage: Usage;
}

function readIndex(name: string): Expected[] {
  const [header = '', ...rows] = readFileSync(join(corpus, name), 'utf8').trimEnd().split('\n');
  const columns = header.split(',');
  return rows
    .map((row) => row.split(','))
    .filter((cells) => cells[1] === 'claude-code')
    .map((cells) => {
      const of = (column: string) => Number(cells[columns.indexOf(column)]);
      return {
        file: cells[0] ?? '',
        turns: of('human_turns'),
        requests: of('requests'),
        usage: {
          fresh: of('input'),
          cacheRead: of('cache_read'),
          cacheWrite5m: of('cache_write_5m'),
          cacheWrite1h: of('cache_write_1h'),
          output: of('output'),
        },
      };
    });
}

function measure(file: string): Omit<Expected, 'file'> {
  const findings = new Findings();
  const source = openFile(join(corpus, file), findings);
  const sessions = [...claudeCode.read(source, { findings, seenRequests: new Set() })];
  let usage = zeroUsage;
  let requests = 0;
  for (const session of sessions) {
    for (const request of session.requests) if (request.usage) usage = addUsage(usage, request.usage);
    for (const request of session.abandoned) usage = addUsage(usage, request.usage);
    requests += session.requests.length + session.abandoned.length;
  }
  const turns = sessions.reduce((sum, session) => sum + humanTurns(session), 0);
  return { turns, requests, usage };
}

/** Where the index and this reader rightly differ. */
const differences: Readonly<Record<string, { turns?: number; requests?: number; usage?: Partial<Usage> }>> = {
  // The index counts a prompt that was taken back before it was answered; it stands in no context that went on.
  'c6533991-5707-4094-a756-614132c9eb65': { turns: -1 },
  // Three responses came in two passes with an advisor's between them, so each was three requests to the provider. The index
  // leaves out what the advisor was billed, and the writes whose lifetime only the single passes tell.
  'da81b1d5-eb50-45b5-b9c2-a57df460d77b': {
    requests: 6,
    usage: { fresh: 398_755, cacheWrite5m: 5917, output: 31_805 },
  },
};

const found = existsSync(join(corpus, 'index.csv'));

describe.skipIf(!found)('the shared corpus, against its index', () => {
  test.each(found ? [...readIndex('index.csv'), ...readIndex('edits.csv')] : [])('$file', (expected) => {
    const { file, ...counted } = expected;
    const known = differences[file.split('/').pop()?.replace('.jsonl', '') ?? ''];
    const { turns, requests, usage } = measure(file);
    expect({ turns, requests, usage }).toEqual({
      turns: counted.turns + (known?.turns ?? 0),
      requests: counted.requests + (known?.requests ?? 0),
      usage: addUsage(counted.usage, { ...zeroUsage, ...known?.usage }),
    });
  });

  test('has 36 sessions, and 16 whose past was edited', () => {
    expect([readIndex('index.csv').length, readIndex('edits.csv').length]).toEqual([36, 16]);
  });

  test('read as one run, each request is billed once', () => {
    const context = { findings: new Findings(), seenRequests: new Set<string>() };
    const files = readIndex('index.csv').map(({ file }) => openFile(join(corpus, file), context.findings));
    const billed = files.flatMap((source) => [...claudeCode.read(source, context)].flatMap(({ requests }) => requests));
    expect(billed.length).toBe(readIndex('index.csv').reduce((sum, { requests }) => sum + requests, 0));
  });
});
