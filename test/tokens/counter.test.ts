import { readdirSync, readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTokenCounter, type TokenCounter } from '../../src/tokens/index.ts';

let counter: TokenCounter;
let reference: Tiktoken;
beforeAll(async () => {
  counter = await loadTokenCounter();
  reference = new Tiktoken(o200k);
});
const expected = (text: string) => reference.encode(text, [], []).length;

describe('counts as js-tiktoken does', () => {
  test("on this repository's own sources", () => {
    const root = new URL('../../src/', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|md)$/.test(file));
    for (const file of files.slice(0, 60)) {
      const text = readFileSync(new URL(file, root), 'utf8');
      expect([file, counter.count(text)]).toEqual([file, expected(text)]);
    }
  });

  test.each([
    ['empty', ''],
    ['English', "It's the window that wasn't moved; they'll say so."],
    ['Chinese', '缓存前缀一旦改变,其后的所有内容都要重新写入。'],
    ['German, emoji, digits', 'Größe 12345678 🙂👩‍👩‍👧 – 3,14'],
    ['white space', '  a\t\tb\n\n\n   c \r\n d   '],
    ['special tokens are text', 'before <|endoftext|> after <|endofprompt|>'],
    ['a lone surrogate', `a${'\ud83d'}b`.toWellFormed()],
    ['a ruler of 80', '='.repeat(80)],
  ])('%s', (_, text) => expect(counter.count(text)).toBe(expected(text)));
});

describe('never hangs: runs longer than 128 characters are cut before they are merged', () => {
  test.each([
    ['one letter', 'a'],
    ['spaces', ' '],
    ['newlines', '\n'],
    ['a ruler', '='],
    ['emoji', '😀'],
  ])('100,000 times %s', (_, run) => {
    const count = counter.count(run.repeat(100_000));
    expect(count).toBeGreaterThan(500);
    expect(count).toBeLessThanOrEqual(200_000);
  });
});
