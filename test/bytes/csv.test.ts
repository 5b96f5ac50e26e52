import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/bytes/index.ts';
import { Findings } from '../../src/session/findings.ts';
import { errorOf } from '../errors.ts';
import { tempFolder } from '../temp.ts';

const folder = tempFolder();
let files = 0;

function read(content: string | Buffer, ending = '.csv') {
  const file = join(folder, `${files++}${ending}`);
  writeFileSync(file, content);
  const findings = new Findings();
  const records = [...openFile(`log${ending}`, findings, { file }).records()];
  return { records, values: records.map(({ value }) => value), findings: findings.list() };
}

describe('delimited text', () => {
  test('rows become objects by heading, with their lines', () => {
    expect(read('a,b\n1,2\n3,4\n').records).toEqual([
      { line: 2, value: { a: '1', b: '2' } },
      { line: 3, value: { a: '3', b: '4' } },
    ]);
  });

  test('quotes, line breaks in cells, CRLF, a byte order mark, empty lines', () => {
    const { records, findings } = read('\uFEFFa,b\r\n"x, y","say ""hi"""\r\n\r\n"two\nlines",2\r\n5,6');
    expect(records).toEqual([
      { line: 2, value: { a: 'x, y', b: 'say "hi"' } },
      { line: 5, value: { a: 'two\nlines', b: '2' } },
      { line: 6, value: { a: '5', b: '6' } },
    ]);
    expect(findings).toEqual([]);
  });

  test.each([';', '\t', ','])('the delimiter is the one that the header uses: %j', (delimiter) => {
    expect(read(['a', 'b', 'c'].join(delimiter).concat('\n', ['1', '2', '3'].join(delimiter))).values).toEqual([
      { a: '1', b: '2', c: '3' },
    ]);
  });

  test('more rows than are parsed at once', () => {
    const rows = Array.from({ length: 4500 }, (_, index) => `${index},"a\nb"`);
    const { records } = read(`n,text\n${rows.join('\n')}\n`);
    expect(records).toHaveLength(4500);
    expect(records.at(-1)).toEqual({ line: 9001, value: { n: '4499', text: 'a\nb' } });
  });

  test('a row that cannot be read, or is too short, is counted with its line, and the rest is read', () => {
    const { values, findings } = read('a,b\n1,2\n3,x"y"z\n4\n5,6\n');
    expect(values).toEqual([
      { a: '1', b: '2' },
      { a: '4', b: '' },
      { a: '5', b: '6' },
    ]);
    expect(findings).toMatchObject([
      { kind: 'bad-csv', count: 1, first: 'log.csv:3' },
      { kind: 'ragged-csv-row', count: 1, first: 'log.csv:4' },
    ]);
  });

  test.each([
    ['a,a\n1,2\n', '.csv'],
    ['n;a;a\n1;2;3\n', '.log'],
  ])('two columns of one name are refused, because nobody can say which is meant: %j', (content, ending) => {
    const { code, message, hint } = errorOf(() => read(content, ending));
    expect(code).toBe('ambiguous-column');
    expect(message).toBe(`log${ending}: more than one column is called "a"`);
    expect(hint).toMatch(/Rename/);
  });

  test('columns without a name are not ambiguous, because nobody can mean them', () => {
    expect(read('a,,\n1,2,3\n').values).toEqual([{ a: '1', '': '3' }]);
  });

  test.each(['a,b\n', 'a,b', 'a,b\r\n\r\n'])('a table without rows says so: %j', (content) => {
    const { code, message } = errorOf(() => read(content));
    expect(code).toBe('empty-table');
    expect(message).toBe('log.csv: the table has no rows, only the columns a, b');
  });

  test('rows that cannot be read are no table without rows', () => {
    expect(read('a,b\n3,x"y"z\n')).toMatchObject({ values: [], findings: [{ kind: 'bad-csv' }] });
  });

  test('a heading named like a prototype is a column', () => {
    expect(Object.keys(read('__proto__,b\n1,2\n').values[0] as object)).toEqual(['__proto__', 'b']);
  });
});

describe('which files are delimited text', () => {
  test('any file that begins with a header', () => {
    expect(read('t_s,input tokens\n1,2\n', '.log').values).toEqual([{ t_s: '1', 'input tokens': '2' }]);
  });

  test('a file of that ending, whatever its headings; one column will do', () => {
    expect(read('{x},$\n1,2\n'.replace('{x}', '"{x}"')).values).toEqual([{ '{x}': '1', $: '2' }]);
    expect(read('input\n7\n').values).toEqual([{ input: '7' }]);
  });

  test.each(['{"a":1}\n', '"torn","b":2}\n{"a":1}\n', 'torn text}\n{"a":1}\n'])('not lines of JSON: %j', (content) => {
    expect(read(content, '.jsonl').values).toEqual([{ a: 1 }]);
  });

  test('JSON under a wrong ending stays JSON', () => {
    expect(read('{"a":1}\n').values).toEqual([{ a: 1 }]);
  });

  test('UTF-16 is refused by name', () => {
    expect(() => read(Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le'))).toThrow(/UTF-16/);
  });
});

describe('gzip', () => {
  test('is taken off, whatever the file is called', () => {
    expect(read(gzipSync('a,b\n1,2\n'), '.csv.gz').values).toEqual([{ a: '1', b: '2' }]);
    expect(read(gzipSync('{"a":1}\n'), '.jsonl').values).toEqual([{ a: 1 }]);
  });

  test('a file that was cut off is an error that names it', () => {
    expect(() => read(gzipSync('a,b\n1,2\n').subarray(0, 20), '.csv.gz')).toThrow(/cannot read log\.csv\.gz/);
  });
});
