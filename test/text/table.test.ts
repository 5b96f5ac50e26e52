import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { labels, listTable, names, numbers, pageText, type TextTable, tableOf, words } from '../../src/text/index.ts';

const textOf = (table: TextTable, width?: number) => pageText([table], { width }).slice(0, -1);

/** A label, two numbers and words: 8 + 2 + 4 + 2 + 6 + 2 + 35 columns. */
const sample: TextTable = {
  ...tableOf(
    [null],
    [
      labels('policy', () => 'a:b=1,c=2'),
      numbers('cost', () => '1.00'),
      numbers('tokens', () => '12'),
      words('why', () => 'words that are too many for one line'),
    ],
  ),
  drop: [['tokens'], ['cost']],
  whole: '--format csv has all',
};

describe('a table', () => {
  test('has all columns in a pipe, and where they fit', () => {
    const all = 'policy     cost  tokens  why\na:b=1,c=2  1.00      12  words that are too many for one line';
    expect(textOf(sample)).toBe(all);
    expect(textOf(sample, 61)).toBe(all);
  });

  test('wraps words first', () => {
    expect(textOf(sample, 60)).toBe(
      [
        'policy     cost  tokens  why',
        'a:b=1,c=2  1.00      12  words that are too many for one',
        '                         line',
      ].join('\n'),
    );
  });

  test('then leaves out columns, in their order, and says which and where they are', () => {
    // Words need 24 columns: 9 + 2 + 4 + 2 + 6 + 2 + 24.
    expect(textOf(sample, 49).split('\n')[0]).toBe('policy     cost  tokens  why');
    const narrow = textOf(sample, 48);
    expect(narrow.split('\n')[0]).toBe('policy     cost  why');
    expect(narrow).toMatch(/\nNo room for tokens: --format csv has all\.$/);
    expect(textOf(sample, 40).split('\n')[0]).toBe('policy     why');
  });

  test('at last wraps labels, and keeps what is left', () => {
    const lines = textOf(sample, 13).split('\n');
    expect(lines.slice(0, 4)).toEqual(['policy  why', 'a:b=1,  words', 'c=2     that', '        are']);
    expect(lines.slice(9).join(' ')).toBe('No room for cost, tokens: --format csv has all.');
  });

  test('in a box is as wide as its cells, whatever colours and wide characters they hold', () => {
    const table: TextTable = {
      ...tableOf(
        ['会话', 'x'],
        [
          names('a', (text) => text),
          { ...numbers('b', (text) => (text === 'x' ? '22' : '1')), style: (row) => (row === 0 ? 'green' : undefined) },
        ],
      ),
      boxed: true,
    };
    expect(textOf(table)).toContain('\u001b[32m1\u001b[39m');
    expect(stripVTControlCharacters(textOf(table))).toBe(
      ['┌──────┬────┐', '│ a    │  b │', '├──────┼────┤', '│ 会话 │  1 │', '│ x    │ 22 │', '└──────┴────┘'].join('\n'),
    );
  });

  test('in a box keeps to the terminal, whatever the label of a policy is', () => {
    const table: TextTable = {
      ...tableOf(
        [null],
        [
          labels('policy', () => 'anthropic-clear-tool-uses:trigger=50000 [ttl=1h]'),
          numbers('cost', () => '$1,144.84'),
          numbers('saving', () => '+20.2 %'),
          labels('verdict', () => 'baseline'),
        ],
      ),
      boxed: true,
    };
    const lines = textOf(table, 60).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.slice(3, -1).map((line) => line.slice(2, 23).trim())).toEqual([
      'anthropic-clear-tool-',
      'uses:trigger=50000',
      '[ttl=1h]',
    ]);
  });

  test('without a head is a list; control characters of a transcript do nothing', () => {
    expect(
      textOf(
        listTable([
          ['ok', 'one'],
          ['FAIL', 'two\u001b[2J\nthree'],
        ]),
      ),
    ).toBe('ok    one\nFAIL  two [2J three');
    expect(
      textOf(
        listTable(
          [
            ['', '7', 'x'],
            ['', '12', 'y'],
          ],
          [1],
        ),
      ),
    ).toBe('   7  x\n  12  y');
    expect(textOf(listTable([]))).toBe('');
  });
});

test('a command to copy makes its column no wider', () => {
  const text = textOf(
    listTable([['ok', 'write it anew with: ctxsim check sessions --against costs.json --update']]),
    30,
  );
  expect(text).toBe('ok  write it anew with:\n    ctxsim check sessions --against costs.json --update');
});

test('a page: paragraphs stand apart, their parts do not, and what is empty is left out', () => {
  expect(pageText(['one', [], ['two', listTable([['a']])], listTable([]), ''], {})).toBe('one\n\ntwo\na\n');
  expect(pageText([[]], {})).toBe('');
});
