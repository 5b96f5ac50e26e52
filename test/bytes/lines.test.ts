import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFile } from '../../src/bytes/index.ts';
import { CtxsimError } from '../../src/errors.ts';
import { Findings } from '../../src/session/findings.ts';
import { tempFolder } from '../temp.ts';

const folder = tempFolder();
let files = 0;

function read(content: string | Uint8Array, options: { maxLineBytes?: number } = {}) {
  const path = join(folder, `${++files}.jsonl`);
  writeFileSync(path, content);
  const findings = new Findings();
  const source = openFile('in.jsonl', findings, { file: path, ...options });
  const records = [...source.records()];
  return { source, records, values: records.map(({ value }) => value), findings: findings.list() };
}

function bytes(...parts: (string | readonly number[])[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
}

describe('splitting', () => {
  test('only 0x0A ends a line: U+2028, U+2029 and U+0085 stand raw in strings', () => {
    const { values, findings } = read('{"a":"x\u2028y\u2029z\u0085"}\n{"b":1}\n');
    expect(values).toEqual([{ a: 'x\u2028y\u2029z\u0085' }, { b: 1 }]);
    expect(findings).toEqual([]);
  });

  test('a carriage return before the line end is dropped, one within is not', () => {
    expect(read('{"a":1}\r\n{"b":2}\r\n').values).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('lines keep their numbers over blank lines, and a last line needs no end', () => {
    const { records, findings } = read('{"a":1}\n\n   \n{"b":2}');
    expect(records).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 4, value: { b: 2 } },
    ]);
    expect(findings).toEqual([]);
  });

  test('a line longer than the read buffer, and a code point across its border, arrive whole', () => {
    const text = `${'x'.repeat(256 * 1024 - 7)}é€😀${'y'.repeat(600_000)}`;
    const { values } = read(`${JSON.stringify({ text })}\n{"b":2}\n`);
    expect(values).toEqual([{ text }, { b: 2 }]);
  });

  test('an empty file has no lines', () => {
    expect(read('')).toMatchObject({ values: [], findings: [] });
  });
});

describe('the cap on line bytes', () => {
  const long = JSON.stringify({ message: { type: 'inner' }, type: 'file-history-snapshot', data: 'x'.repeat(5000) });

  test('passes over a long line, names its type and goes on', () => {
    const { records, findings } = read(`{"a":1}\n${long}\n{"b":2}\n`, { maxLineBytes: 1000 });
    expect(records).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 3, value: { b: 2 } },
    ]);
    expect(findings).toEqual([
      { kind: 'line-too-long', detail: 'file-history-snapshot', count: 1, first: 'in.jsonl:2' },
    ]);
  });

  test('holds for lines of many buffers and for a last line without end', () => {
    const huge = `{"type":"assistant","data":"${'x'.repeat(1_500_000)}"}`;
    const { values, findings } = read(`${huge}\n{"b":2}\n${huge}`, { maxLineBytes: 400_000 });
    expect(values).toEqual([{ b: 2 }]);
    expect(findings).toMatchObject([{ kind: 'line-too-long', detail: 'assistant', count: 2 }]);
  });

  test('counts the bytes of the line alone', () => {
    expect(read('{"a":1}\n', { maxLineBytes: 7 }).values).toEqual([{ a: 1 }]);
    expect(read('{"a":1}\n', { maxLineBytes: 6 }).values).toEqual([]);
  });
});

describe('marks and padding', () => {
  const bom = [0xef, 0xbb, 0xbf];

  test('a byte order mark is dropped at the start of the file and of any line', () => {
    expect(read(bytes(bom, '{"a":1}\n', bom, '{"b":2}\n'))).toMatchObject({
      values: [{ a: 1 }, { b: 2 }],
      findings: [],
    });
  });

  test.each([[[0xff, 0xfe]], [[0xfe, 0xff]]])('UTF-16 (%j) is an error that names it', (mark) => {
    expect(() => read(bytes(mark, [0x7b, 0, 0x7d, 0, 0x0a, 0]))).toThrow(CtxsimError);
    expect(() => read(bytes(mark))).toThrow(/UTF-16/);
  });

  test('a byte order mark behind NULs is dropped with them', () => {
    expect(read(bytes([0, 0], bom, [0], '{"a":1}\n'))).toMatchObject({ values: [{ a: 1 }], findings: [] });
  });

  test('NULs around a record are dropped, a line of NULs is counted', () => {
    const { values, findings } = read(
      bytes([0, 0, 0], '{"a":1}', [0, 0], '\r\n', new Array(5000).fill(0), '\n', '{"b":2}\n'),
    );
    expect(values).toEqual([{ a: 1 }, { b: 2 }]);
    expect(findings).toEqual([{ kind: 'nul-line', detail: '', count: 1, first: 'in.jsonl:2' }]);
  });
});

describe('damage', () => {
  test('an unterminated last line that does not parse is torn, not bad', () => {
    const { values, findings } = read('{"a":1}\n{"b":');
    expect(values).toEqual([{ a: 1 }]);
    expect(findings).toEqual([{ kind: 'torn-tail', detail: '', count: 1, first: 'in.jsonl:2' }]);
  });

  test('a bad line is counted with its place, and the lines behind it are read', () => {
    const { values, findings } = read('{"a":1}\nnonsense\n{"b":2}\n');
    expect(values).toEqual([{ a: 1 }, { b: 2 }]);
    expect(findings).toEqual([{ kind: 'bad-json', detail: '', count: 1, first: 'in.jsonl:2' }]);
  });

  test('a record behind a torn one on the same line is recovered', () => {
    const { values, findings } = read(
      '{"type":"user","message":{"content":"cu{"type":"user","message":{"content":[{"type":"text","text":"ok"}]}}\n',
    );
    expect(values).toEqual([{ type: 'user', message: { content: [{ type: 'text', text: 'ok' }] } }]);
    expect(findings).toEqual([{ kind: 'fused-line', detail: 'a part is lost', count: 1, first: 'in.jsonl:1' }]);
  });

  test('whole records on one line are all recovered, in order', () => {
    const { values, findings } = read('{"type":"a","n":1}{"type":"b","n":{"type":"x"}} {"uuid":"c"}\n');
    expect(values).toEqual([{ type: 'a', n: 1 }, { type: 'b', n: { type: 'x' } }, { uuid: 'c' }]);
    expect(findings).toMatchObject([{ kind: 'fused-line', detail: '', count: 1 }]);
  });

  test('a whole record before a torn one is kept', () => {
    const { values, findings } = read('{"type":"a","n":[{"type":"x"}]}{"type":"b","n":');
    expect(values).toEqual([{ type: 'a', n: [{ type: 'x' }] }]);
    expect(findings).toMatchObject([{ kind: 'fused-line', detail: 'a part is lost', count: 1 }]);
  });

  test('invalid UTF-8 is replaced and counted', () => {
    const { values, findings } = read(bytes('{"a":"x', [0xe2, 0x82], '"}\n'));
    expect(values).toEqual([{ a: 'x\ufffd' }]);
    expect(findings).toEqual([{ kind: 'bad-utf8', detail: '', count: 1, first: 'in.jsonl:1' }]);
  });

  test('lone surrogates are replaced, pairs are not', () => {
    const { values, findings } = read('{"a":"\\ud83d!","b":["\\uDE00"],"c":"\\ud83d\\ude00","d":"\\\\ud83d"}\n');
    expect(values).toEqual([{ a: '\ufffd!', b: ['\ufffd'], c: '😀', d: '\\ud83d' }]);
    expect(findings).toEqual([{ kind: 'lone-surrogate', detail: '', count: 1, first: 'in.jsonl:1' }]);
  });
});

test.each(['\\ud83d', '\\uD83D', '\\ude00', '\\uDE00'])('the lone surrogate %s', (lone) => {
  expect(read(`{"a":"x${lone}"}\n`).values).toEqual([{ a: 'x\ufffd' }]);
});

describe('hostile JSON', () => {
  test('prototype names are ordinary keys', () => {
    const [value] = read('{"__proto__":{"polluted":1},"constructor":2,"s":"\\ud800"}\n').values;
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 's']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('numbers beyond the range arrive as the language reads them', () => {
    expect(read('{"a":1e400,"b":-1e400}\n').values).toEqual([{ a: Infinity, b: -Infinity }]);
  });

  test('deep nesting does not overflow, with a surrogate to mend neither', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(read(`{"a":${deep}}\n{"s":"\\ud800","a":${deep}}\n{"b":2}\n`).values).toHaveLength(3);
  });

  test('a long line of record starts is given up in time', () => {
    const { values } = read(`${'{"type":'.repeat(100_000)}\n{"b":2}\n`);
    expect(values).toEqual([{ b: 2 }]);
  });
});

test('reading again starts anew and counts nothing twice', () => {
  const { source } = read('{"a":1}\nbad\n{"b":2}\nbad\n');
  expect([...source.records()]).toHaveLength(2);

  const findings = new Findings();
  const path = join(folder, 'twice.jsonl');
  writeFileSync(path, 'bad\n{"a":1}\nbad\n{"b":2}\n');
  const twice = openFile(path, findings);
  for (const { value } of twice.records()) {
    expect(value).toEqual({ a: 1 });
    break;
  }
  expect(findings.count('bad-json')).toBe(1);
  expect([...twice.records()]).toHaveLength(2);
  expect([...twice.records()]).toHaveLength(2);
  expect(findings.count('bad-json')).toBe(2);
});
