import { describe, expect, test } from 'vitest';
import type { CtxsimError } from '../../src/errors.ts';
import { parsePolicies, policies } from '../../src/policies/index.ts';

const labels = (...texts: string[]) => parsePolicies(texts, policies).map(({ label }) => label);

function refusal(text: string): string {
  try {
    parsePolicies([text], policies);
  } catch (error) {
    return `${(error as CtxsimError).message} | ${(error as CtxsimError).hint}`;
  }
  throw new Error(`${text} was accepted`);
}

describe('what --policy accepts', () => {
  test('a name alone takes the defaults', () => {
    expect(parsePolicies(['elide'], policies)[0]?.settings).toEqual({
      recent_turns: 0,
      min_elide_chars: 300,
      min_elide_tokens: 60,
      stub_tokens: 15,
      terse_success: 'off',
    });
  });

  test('a segment without = continues the list before it; every combination is a row', () => {
    expect(labels('elide:recent_turns=0,1,4')).toEqual([
      'elide:recent_turns=0',
      'elide:recent_turns=1',
      'elide:recent_turns=4',
    ]);
    expect(labels('elide:recent_turns=0,1,terse_success=off,on')).toEqual([
      'elide:recent_turns=0,terse_success=off',
      'elide:recent_turns=0,terse_success=on',
      'elide:recent_turns=1,terse_success=off',
      'elide:recent_turns=1,terse_success=on',
    ]);
  });

  test('ranges, with and without a step', () => {
    expect(labels('elide:recent_turns=0..3')).toHaveLength(4);
    expect(labels('elide:recent_turns=0..8:4,9')).toEqual(['0', '4', '8', '9'].map((n) => `elide:recent_turns=${n}`));
  });

  test('settings that come to the same thing are one row', () => {
    expect(labels('elide', 'elide:recent_turns=0', 'full', 'full')).toEqual(['elide', 'full']);
  });
});

describe('what it refuses, and how', () => {
  test.each([
    ['elid', 'unknown policy "elid" | Did you mean "elide"? Known: full'],
    ['elide:recent_turn=1', 'unknown parameter of elide "recent_turn" | Did you mean "recent_turns"?'],
    ['elide:constructor=1', 'unknown parameter of elide "constructor"'],
    ['elide:recent_turns=-1', 'recent_turns=-1 is out of range | It takes a whole number of at least 0.'],
    ['elide:recent_turns=1.5', 'recent_turns=1.5 is out of range'],
    ['elide:recent_turns=', 'recent_turns= is out of range'],
    ['elide:recent_turns=two', 'recent_turns=two is out of range'],
    ['elide:recent_turns=4..1', 'the range 4..1 is empty'],
    ['elide:recent_turns=0..9:0', 'the range 0..9:0 is empty'],
    ['elide:recent_turns=0..1e9', 'is out of range'],
    ['elide:recent_turns=0..99999', 'more than 10000 values'],
    ['elide:1', '"1" has no key'],
    ['elide:terse_success=maybe', 'unknown value of'],
  ])('%s', (text, message) => expect(refusal(text)).toContain(message));
});
