import { describe, expect, test } from 'vitest';
import { isPolicyFile, splitChain } from '../../src/policies/policy-text.ts';

describe('a chain', () => {
  test.each([
    ['elide', [['elide', undefined]]],
    [
      'elide:recent_turns=1+fold',
      [
        ['elide', 'recent_turns=1'],
        ['fold', undefined],
      ],
    ],
    [
      ' elide : a=1 + fold',
      [
        ['elide', ' a=1 '],
        ['fold', undefined],
      ],
    ],
    [
      './my.mjs:keep=1,2+elide:recent_turns=0',
      [
        ['./my.mjs', 'keep=1,2'],
        ['elide', 'recent_turns=0'],
      ],
    ],
    [
      'elide+my.mjs',
      [
        ['elide', undefined],
        ['my.mjs', undefined],
      ],
    ],
    [
      'elide+../a+b:c/my.js+fold',
      [
        ['elide', undefined],
        ['../a+b:c/my.js', undefined],
        ['fold', undefined],
      ],
    ],
    [String.raw`C:\my policies\p.mjs:keep=1`, [[String.raw`C:\my policies\p.mjs`, 'keep=1']]],
    ['C:/no-ending:keep=1', [['C:/no-ending', 'keep=1']]],
    [
      './no-ending+elide',
      [
        ['./no-ending', undefined],
        ['elide', undefined],
      ],
    ],
    [
      'elide+',
      [
        ['elide', undefined],
        ['', undefined],
      ],
    ],
    ['', [['', undefined]]],
  ])('%s', (text, members) => {
    expect(splitChain(text).map(({ name, settings }) => [name, settings])).toEqual(members);
  });
});

test.each([
  ['./a', true],
  ['../a.mjs', true],
  ['/a.mjs', true],
  [String.raw`C:\a`, true],
  [String.raw`.\a`, true],
  ['a.mjs', true],
  ['a.js', true],
  ['elide', false],
  ['claude-code-auto', false],
  ['a.json', false],
])('%s is a path: %s', (name, isPath) => {
  expect(isPolicyFile(name)).toBe(isPath);
});
