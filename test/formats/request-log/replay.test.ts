import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../../../src/formats/index.ts';
import { requestLog } from '../../../src/formats/request-log/index.ts';
import { elide } from '../../../src/policies/elide.ts';
import { full } from '../../../src/policies/full.ts';
import { readFiles } from '../../../src/run/index.ts';
import { Findings, type Session, withOpening } from '../../../src/session/index.ts';
import { replaySeen } from '../../replay/run.ts';
import { tempFolder } from '../../temp.ts';
import { readLog, row } from './log.ts';

async function sessionOf(rows: readonly object[]): Promise<Session> {
  const [session] = (await readLog(rows, 'prefix' in (rows[0] ?? {}) ? { prefix: 'prefix' } : {})).sessions;
  if (!session) throw new Error('no session');
  return session;
}

describe('a request log in replay', () => {
  const rows = [
    { ...row('a', 0, 1000, 500, 'text'), prefix: 400 },
    { ...row('a', 10, 1100, 20), prefix: 400 },
    { ...row('a', 400, 1300, 30, 'text'), prefix: 400 },
  ];

  test('every prompt is as long as recorded, every reply is billed as recorded', async () => {
    const { seen, ledger } = replaySeen(await sessionOf(rows), { policy: () => full.create({}), cache: 'none' });
    expect(seen.map(({ prompt }) => prompt)).toEqual([1000, 1100, 1300]);
    expect(ledger[0]?.usage).toMatchObject({ fresh: 3400, output: 550 });
  });

  test('the named prefix is read at the first request and after the lifetime', async () => {
    const { seen } = replaySeen(await sessionOf(rows), { policy: () => full.create({}), cache: 'ideal' });
    expect(seen.map(({ read, write5m }) => [read, write5m])).toEqual([
      [400, 600],
      [1000, 100],
      [400, 900],
    ]);
  });

  test('an opening that is put before the warm prefix is warm with it', async () => {
    const session = withOpening(await sessionOf(rows), { kind: 'system', size: { chars: 0, lines: 0, tokens: 50 } });
    expect(session.warmBlocks).toBe(2);
    expect(replaySeen(session, { policy: () => full.create({}), cache: 'ideal' }).seen[2]?.read).toBe(450);
  });

  test('results above min_elide_tokens become stubs of stub_tokens; the opening never does', async () => {
    const session = await sessionOf([
      row('a', 0, 5000, 0, 'text'),
      row('a', 1, 5060, 0),
      row('a', 2, 5121, 0),
      row('a', 3, 5200, 0, 'text'),
    ]);
    const settings = {
      recent_turns: 0,
      min_elide_chars: 300,
      min_elide_tokens: 60,
      stub_tokens: 15,
      terse_success: 'off',
    };
    const { seen } = replaySeen(session, { policy: () => elide.create(settings), cache: 'none' });
    expect(seen.at(-1)?.tokens.filter((tokens) => tokens > 0)).toEqual([5000, 60, 15, 79]);
  });

  test('a prompt that was recorded can be sent; a window that was asked for is kept to', async () => {
    const policy = () => full.create({});
    expect(replaySeen(await sessionOf(rows), { policy, limit: 1200 }).unsendable).toBe(0);
    expect(replaySeen(await sessionOf(rows), { policy, window: 1200 }).unsendable).toBeGreaterThan(0);
  });
});

describe('which files are request logs', () => {
  test('records that name session, input or fresh, and output', () => {
    expect(requestLog.sniff([row('a', 0, 1, 1)])).toBe(true);
    expect(requestLog.sniff([{ session: 's', fresh: 1, output: 2 }])).toBe(true);
    expect(requestLog.sniff([{ trace: 's', in: 1, out: 2 }])).toBe(false);
    expect(requestLog.sniff([])).toBe(false);
  });

  test('no other format claims one', () => {
    expect(formats.all.filter((format) => format.sniff([row('a', 0, 1, 1)])).map(({ name }) => name)).toEqual([
      'request-log',
    ]);
  });
});

describe('reading files with a map', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'log.csv'), 'trace,in,out,kind\na,100,5,text\na,200,5,tool_result\n');

  async function read(options: { map?: Record<string, string>; inputFormat?: string }) {
    const files = [];
    for await (const file of readFiles({ paths: ['log.csv'], cwd: folder, findings: new Findings(), ...options }))
      files.push(file);
    return files[0];
  }
  const map = { session: 'trace', input: 'in', output: 'out' };

  test('needs no format beside it', async () => {
    expect((await read({ map }))?.sessions).toHaveLength(1);
    expect((await read({ map, inputFormat: 'request-log' }))?.format?.name).toBe('request-log');
  });

  test('without one, the columns are named in the error', async () => {
    expect((await read({}))?.error).toMatchObject({
      code: 'unknown-format',
      message: expect.stringContaining('"trace"'),
    });
  });

  test('an unknown key stops at once, and so does a format without columns', async () => {
    await expect(read({ map: { sesion: 'trace' } })).rejects.toMatchObject({ code: 'unknown-name' });
    await expect(read({ map, inputFormat: 'codex' })).rejects.toMatchObject({ code: 'bad-map' });
  });
});
