import { stripVTControlCharacters, styleText } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { wrapped } from '../../src/text/index.ts';
import { wrappedLabel } from '../../src/text/wrap.ts';

describe('text for a terminal', () => {
  test('is as it is in a pipe, and where it fits', () => {
    const text = `${'word '.repeat(40)}\n\nshort\n`;
    expect(wrapped(text, undefined)).toBe(text);
    expect(wrapped('as wide as this', 15)).toBe('as wide as this');
  });

  test('is wrapped at spaces, line by line', () => {
    expect(wrapped('one two three\n\nfour five', 9)).toBe('one two\nthree\n\nfour five');
  });

  test('what follows stands under the text of an item, and further in than a detail', () => {
    expect(wrapped('- one two three four', 11)).toBe('- one two\n  three\n  four');
    expect(wrapped('  one two three four', 12)).toBe('  one two\n    three\n    four');
  });

  test('a longer word stays whole, and so does a command at the end, quotes and all', () => {
    expect(wrapped('see /a/path/that/is/long there', 10)).toBe('see\n/a/path/that/is/long\nthere');
    expect(wrapped("see it with: ctxsim explain 'a b.jsonl' --policy elide:recent_turns=1", 20)).toBe(
      "see it with:\nctxsim explain 'a b.jsonl' --policy elide:recent_turns=1",
    );
    expect(wrapped('empty it (ctxsim store --clear does) now', 20)).toBe('empty it\n(ctxsim store --clear\ndoes) now');
  });

  test('a per cent sign stays with its number, a dot with what it follows', () => {
    expect(wrapped('it saves 20.0 % here', 14)).toBe('it saves\n20.0 % here');
    expect(wrapped('one model · two', 11)).toBe('one model ·\ntwo');
  });

  test('colours take no room, wide characters take two columns', () => {
    expect(wrapped(`${styleText('red', 'red', { validateStream: false })} two`, 7)).not.toContain('\n');
    expect(wrapped('会话 会话', 8)).toBe('会话\n会话');
    expect(wrapped('会话 会话', 9)).toBe('会话 会话');
  });

  test('nothing is lost, and no line of several words is wider', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '会', '-', '%', '·'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.integer({ min: 12, max: 40 }), (words, width) => {
        const text = `- ${words.join(' ')}`;
        const lines = wrapped(text, width).split('\n');
        expect(lines.join(' ').replace(/ +/g, ' ')).toBe(text.replace(/ +/g, ' '));
        for (const line of lines)
          expect(stringWidth(line) <= width || !/[^ ] [^ %·]/.test(line.replace(/^(- | +)/, ''))).toBe(true);
      }),
    );
  });
});

test('a label of a policy ends a line behind a colon, a comma or a plus', () => {
  const label = 'heph:recent_turns=0,high_water=0.6+fold';
  expect(wrappedLabel(label, 80)).toBe(label);
  expect(wrappedLabel(label, 24)).toBe('heph:recent_turns=0,\nhigh_water=0.6+fold');
  expect(wrappedLabel(label, 5)).toBe('heph:\nrecent_turns=0,\nhigh_water=0.6+\nfold');
  expect(wrappedLabel('a-b-c:d', 6)).toBe('a-b-c:\nd');
  expect(wrappedLabel('a-b-c:d', 5)).toBe('a-b-\nc:d');
  expect(stripVTControlCharacters(wrappedLabel(label, 5)).replaceAll('\n', '')).toBe(label);
});
