import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

describe('ctxsim reprice', () => {
  const folder = tempFolder();
  writeFileSync(
    join(folder, 'table.csv'),
    'name,input,cacheRead,output,cost\na,1000,9000,100,0.01\nb,8000,100,10,0.02\nc,10,10,9000,0.13\nd,500,500,500,9\n',
  );

  const reprice = (...args: string[]) =>
    ctxsim(folder, ['reprice', ...(args[0]?.endsWith('.csv') ? args : ['table.csv', ...args])]);

  test('at a price vector, with places left empty or by name', async () => {
    for (const price of ['3,0.3,,,15', 'fresh=3,read=0.3,output=15']) {
      const { status, out } = await reprice('--price', price, '--format', 'csv');
      expect(status).toBe(0);
      expect(out.split('\n')[1]).toMatch(/^a,1000,9000,0,0,100,0\.0072,0\.01,-0\.0028\d*,yes$/);
    }
  });

  test('a table without a row of counts is refused, and not priced at nothing', async () => {
    writeFileSync(join(folder, 'header.csv'), 'input,output\n');
    writeFileSync(join(folder, 'words.csv'), 'input,output\nx,y\n');
    expect(await reprice('header.csv', '--price', 'fresh=3')).toMatchObject({ status: 2, out: '' });
    const { status, out, err } = await reprice('words.csv', '--price', 'fresh=3');
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain('line 2: fresh is no count of tokens');
  });

  test('a cost that is no number is a finding, and the row is priced; one that is missing is none', async () => {
    writeFileSync(
      join(folder, 'costs.csv'),
      'label,input,cost\na,1000000,3\nb,1000000,abc\nc,1000000,\nd,1000000,1e999\n',
    );
    const { status, out, err } = await reprice('costs.csv', '--price', 'fresh=3', '-v');
    expect(status).toBe(0);
    expect(out).toContain('total 12.00 USD over 4 rows');
    expect(out).toContain('1 of 1 row agree');
    expect(err).toBe('bad-table-cost cost is no number: 2, first at costs.csv:3\n');
  });

  test('a table with two columns of one name is refused', async () => {
    writeFileSync(join(folder, 'twice.csv'), 'label,input,input,cost\na,1000000,5,3\n');
    const { status, out, err } = await reprice('twice.csv', '--price', 'fresh=3');
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('twice.csv: more than one column is called "input"');
    expect(err).toContain('Rename');
  });

  test('a directory cannot be read, said once', async () => {
    const { status, err } = await ctxsim(folder, ['reprice', '.', '--price', 'fresh=3']);
    expect(status).toBe(2);
    expect(err).toContain('ctxsim: cannot read .: it is a directory (EISDIR)');
  });

  test('as a model, as JSON', async () => {
    const { out } = await reprice('--model', 'claude-sonnet-4-5', '--format', 'json', '--unit', '1k');
    const result = JSON.parse(out);
    expect(result).toMatchObject({
      schema: 'ctxsim.reprice/1',
      prices: { usdPerMTok: { fresh: 3, cacheRead: 0.3, output: 15 } },
    });
    expect(result.rows[0].usd).toBeCloseTo(7.2, 9);
  });

  test('at a service tier of a model, of no other prices', async () => {
    const { status, out } = await reprice('--model', 'claude-sonnet-4-5', '--service-tier', 'batch', '--unit', '1k');
    expect(status).toBe(0);
    // Half of 1,000k at 3, 9,000k at 0.30 and 100k at 15.
    expect(out).toMatch(/│ a +│.*│ +3\.6000 │/);
    expect(out).toContain('claude-sonnet-4-5: batch at 0.5 times the standard rates');
    const solved = await reprice('--solve', '--region', 'us');
    expect([solved.status, solved.out]).toEqual([2, '']);
    expect(solved.err).toContain('--service-tier and --region are of the list prices of a --model');
  });

  test('solved prices that mean nothing are doubted', async () => {
    const doubted = 'label,fresh,output,cost\na,1000000,0,3\nb,1000000,1000000,1\n';
    writeFileSync(join(folder, 'doubted.csv'), doubted);
    const { out } = await reprice('doubted.csv', '--solve');
    expect(out).toContain('fresh 3 · output -2');
    expect(out).toContain('A price came out negative');
    expect(out).toContain('As many rows as prices');
  });

  test('counts are sums, unless a column is named for how many requests they are means of', async () => {
    writeFileSync(join(folder, 'means.csv'), 'label,fresh,output,requests\na,1000000,0,2\n');
    const prices = ['--price', 'fresh=3,output=15', '--format', 'json'];
    const total = async (...more: string[]) =>
      JSON.parse((await reprice('means.csv', ...prices, ...more)).out).totals.usd;
    expect(await total()).toBe(3);
    expect(await total('--map', 'requests=requests')).toBe(6);
  });

  test('solved, with the rows that do not fit', async () => {
    const { out } = await reprice('--solve', '--tolerance', '0.01');
    expect(out).toContain('3 of 4 rows agree within 0.01 USD');
    expect(out).toMatch(/Rows that do not fit:[\s\S]*│ d /);
    expect(out).not.toContain('│ a ');
  });

  test.each([
    [[], /one of --price, --model and --solve/],
    [['--solve', '--model', 'x'], /one of --price, --model and --solve/],
    [['--price', '1,2'], /2 places, not 5/],
    [['--price', '1,1,1,1,x'], /"x" is no price/],
    [['--price', '1,,,,1'], /read tokens and they have no price/],
    [['--price', 'frsh=1'], /unknown price "frsh"/],
    [['--solve', '--tolerance', 'x'], /--tolerance x/],
    [['--solve', '--map', 'cost=costs'], /unknown column "costs"/],
    [['--solve', '--map', 'price=cost'], /unknown key of --map "price"/],
  ])('%j is refused', async (argv, message) => {
    const { status, out, err } = await reprice(...argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });
});
