import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { progressOf } from '../../src/cli/progress.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

/** A terminal with a clock that the test sets. */
function terminal(isTerminal = true) {
  const clock = { now: 5000 };
  const lines: string[] = [];
  const io = {
    stderrIsTerminal: isTerminal,
    err: (text: string) => lines.push(text),
    now: () => clock.now,
  } as unknown as Io;
  return { io, clock, lines };
}

const wipe = '\r\u001b[K';

test('how many, how fast, how long yet; the line is gone at the end', () => {
  const { io, clock, lines } = terminal();
  const onFile = progressOf(io, false);
  onFile(0, 100, 'a.jsonl');
  clock.now += 20_000;
  onFile(42, 100, 'b.jsonl');
  onFile(100, 100, '');
  // 42 in 20 s are 2.1 a second; 58 are left, which is 27.6 s.
  expect(lines).toEqual([
    `${wipe}0 of 100 files · a.jsonl`,
    `${wipe}42 of 100 files · 2.1/s · 28 s left · b.jsonl`,
    wipe,
  ]);
});

test('minutes where it takes long', () => {
  const { io, clock, lines } = terminal();
  const onFile = progressOf(io, false);
  clock.now += 10_000;
  onFile(10, 100, 'x');
  expect(lines).toEqual([`${wipe}10 of 100 files · 1.0/s · 1 min 30 s left · x`]);
});

test('many small files do not flood the terminal', () => {
  const { io, clock, lines } = terminal();
  const onFile = progressOf(io, false);
  for (let done = 0; done < 1000; done += 1, clock.now += 1) onFile(done, 1000, 'x');
  expect(lines).toHaveLength(10);
});

test('a long name does not wrap, an escape sequence in it does nothing', () => {
  const { io, lines } = terminal();
  progressOf(io, false)(0, 2, `\u001b[2J${'x'.repeat(200)}`);
  expect(lines[0]).toHaveLength(wipe.length + 79);
  expect(lines[0]?.slice(wipe.length)).not.toContain('\u001b');
});

test.each([
  ['a pipe', false, false],
  ['a quiet run', true, true],
])('nothing on %s', (_, isTerminal, quiet) => {
  const { io, lines } = terminal(isTerminal);
  const onFile = progressOf(io, quiet);
  onFile(0, 2, 'x');
  onFile(2, 2, '');
  expect(lines).toEqual([]);
});

test('the line is wiped before anything else is said', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'a.jsonl'), '{"hello":"world"}\n');
  const { err } = await ctxsim(cwd, ['inspect', 'a.jsonl'], { stderrIsTerminal: true });
  expect(err.startsWith(`${wipe}0 of 1 file · a.jsonl${wipe}`)).toBe(true);
});
