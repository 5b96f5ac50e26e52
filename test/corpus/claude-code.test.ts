import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/bytes/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns, type Session } from '../../src/session/session.ts';
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

/** What the lines of the conversation itself come to, and apart from it what only progress shows of sub-agents. */
function measure(file: string) {
  const findings = new Findings();
  const source = openFile(join(corpus, file), findings);
  const sessions = [...claudeCode.read(source, { findings, seenRequests: new Set() })];
  const agents = sessions.filter(({ parent }) => parent !== undefined);
  const { requests, usage } = sumOf(sessions.filter(({ parent }) => parent === undefined));
  const turns = sessions.reduce((sum, session) => sum + humanTurns(session), 0);
  return { turns, requests, usage, agents: { sessions: agents.length, ...sumOf(agents) } };
}

function sumOf(sessions: readonly Session[]): { requests: number; usage: Usage } {
  const billed = sessions.flatMap(({ requests, abandoned }) => [...requests, ...abandoned]);
  const usage = billed.reduce((sum, it) => (it.usage ? addUsage(sum, it.usage) : sum), zeroUsage);
  return { requests: billed.length, usage };
}

interface Difference {
  readonly turns?: number;
  readonly requests?: number;
  readonly usage?: Partial<Usage>;
  /** Sub-agents whose own files are not in the corpus: sessions, requests, and tokens read, written and put out. */
  readonly agents?: readonly [number, number, number, number, number];
}

/** Where the index and this reader rightly differ. The index does not count commands of the user's own, nor sub-agents. */
const differences: Readonly<Record<string, Difference>> = {
  // The index counts a prompt that was taken back before it was answered; it stands in no context that went on.
  'c6533991-5707-4094-a756-614132c9eb65': { turns: -1 + 1 },
  // Three responses came in two passes with an advisor's between them, so each was three requests to the provider. The index
  // leaves out what the advisor was billed, and the writes whose lifetime only the single passes tell.
  'da81b1d5-eb50-45b5-b9c2-a57df460d77b': {
    turns: 1,
    requests: 6,
    usage: { fresh: 398_755, cacheWrite5m: 5917, output: 31_805 },
  },
  '12910ac6-acd5-45da-be15-84a7817db5d4': { turns: 1 },
  '390ab778-0d42-4dd4-936d-f11014a7a76a': { turns: 1 },
  '5e12a303-c989-4291-a42d-bc1eb620afea': { turns: 6 },
  'ef137a9a-6d56-4e0f-a553-38a9ebdce1b1': { turns: 1 },
  '847ff7d2-4a55-44d7-a3f5-a3afd89f1ee1': { turns: 1 },
  '03a1382e-ecd5-42c4-b3d4-5c659e165904': { agents: [1, 9, 341_277, 49_796, 27] },
  '79e9becd-0b83-42f1-8cb1-33375d080476': { agents: [2, 16, 694_341, 130_384, 153] },
  'd64b50bb-125b-4b54-867a-e59841e553d8': { agents: [1, 2, 23_391, 26_474, 4] },
  '2aeee101-92bd-4b51-a063-4f47cd58f907': { agents: [4, 56, 2_830_583, 284_149, 353] },
  '13da966e-44f7-4a36-8060-ca40451e4561': { agents: [1, 2, 31_738, 13_037, 10] },
  '533ff7a3-d390-41ff-b9e8-1b09fb4c2fe2': { agents: [1, 24, 1_481_251, 75_799, 45] },
};

const found = existsSync(join(corpus, 'index.csv'));

describe.skipIf(!found)('the shared corpus, against its index', () => {
  test.each(found ? [...readIndex('index.csv'), ...readIndex('edits.csv')] : [])('$file', (expected) => {
    const { file, ...counted } = expected;
    const known = differences[file.split('/').pop()?.replace('.jsonl', '') ?? ''];
    const { turns, requests, usage, agents } = measure(file);
    expect({ turns, requests, usage }).toEqual({
      turns: counted.turns + (known?.turns ?? 0),
      requests: counted.requests + (known?.requests ?? 0),
      usage: addUsage(counted.usage, { ...zeroUsage, ...known?.usage }),
    });
    const { cacheRead, cacheWrite5m, cacheWrite1h, output } = agents.usage;
    expect([agents.sessions, agents.requests, cacheRead, cacheWrite5m + cacheWrite1h, output]).toEqual(
      known?.agents ?? [0, 0, 0, 0, 0],
    );
  });

  test('has 36 sessions, and 16 whose past was edited', () => {
    expect([readIndex('index.csv').length, readIndex('edits.csv').length]).toEqual([36, 16]);
  });

  test('read as one run, each request is billed once', () => {
    const context = { findings: new Findings(), seenRequests: new Set<string>() };
    const files = readIndex('index.csv').map(({ file }) => openFile(join(corpus, file), context.findings));
    const sessions = files.flatMap((source) => [...claudeCode.read(source, context)]);
    const billed = sessions.filter(({ parent }) => parent === undefined).flatMap(({ requests }) => requests);
    expect(billed.length).toBe(readIndex('index.csv').reduce((sum, { requests }) => sum + requests, 0));
  });
});
