import { describe, expect, test } from 'vitest';
import { countLines, derivedTexts } from '../../src/session/derived.ts';

const lines = (count: number) => 'x\n'.repeat(count);

describe("heph's stub", () => {
  test.each([
    ['[view src/auth.rs: 412 lines, elided]', { tool: 'view', target: 'src/auth.rs', text: lines(412) }],
    [
      '[exec cargo test: error, 96 lines, elided]',
      { tool: 'exec', target: 'cargo test', text: lines(96), exitCode: 101 },
    ],
    ['[Bash make: 1 line, elided]', { tool: 'Bash', target: 'make', text: 'one' }],
    ['[Bash make: 0 lines, elided]', { tool: 'Bash', target: 'make', text: '' }],
    ['[mcp__x__y: 2 lines, elided]', { tool: 'mcp__x__y', text: 'a\nb' }],
    ['[Read a.png: 1 image, elided]', { tool: 'Read', target: 'a.png', images: 1 }],
    ['[Read: 2 images, elided]', { tool: 'Read', images: 2 }],
    ['[Bash ls -l: error, 1 line, elided]', { tool: 'Bash', target: '  ls \t -l\nrm x', text: 'no', isError: true }],
  ])('%s', (stub, block) => expect(derivedTexts.stub({ kind: 'result', ...block })).toBe(stub));

  test('a target is cut at 80 characters, never inside a surrogate pair', () => {
    const stub = derivedTexts.stub({ kind: 'result', tool: 'Bash', target: '😀'.repeat(100), text: 'x' });
    expect(stub).toBe(`[Bash ${'😀'.repeat(79)}…: 1 line, elided]`);
  });

  test('only results have one', () => expect(derivedTexts.stub({ kind: 'reply', text: 'x' })).toBeUndefined());
});

test('a terse status is the stub without its last word, for successful commands only', () => {
  const result = { kind: 'result', tool: 'Bash', target: 'make', text: lines(40), action: 'exec' } as const;
  expect(derivedTexts.terse(result)).toBe('[Bash make: 40 lines]');
  expect(derivedTexts.terse({ ...result, exitCode: 2 })).toBeUndefined();
  expect(derivedTexts.terse({ ...result, action: 'view' })).toBeUndefined();
});

test('excerpts are collapsed and cut', () => {
  expect(derivedTexts.excerpt200({ kind: 'prompt', text: ` a\n\n b  ${'c'.repeat(300)}` })).toHaveLength(200);
  expect(derivedTexts.excerpt300({ kind: 'reply', text: ' a\n\n b ' })).toBe('a b');
});

test('a completion line is the last line that is not empty', () => {
  expect(derivedTexts.completionLine({ kind: 'result', action: 'exec', text: 'a\n 3 passed \n\n' })).toBe('3 passed');
});

test('lines: a final newline is not counted', () => {
  expect(['', 'a', 'a\n', 'a\nb', '\n', 'a\n\n'].map(countLines)).toEqual([0, 1, 1, 2, 1, 2]);
});
