import { expect, test } from 'vitest';
import { type CopyFacts, withoutCopies } from '../../src/run/recording.ts';

function kept(all: readonly CopyFacts[]) {
  const dropped: string[] = [];
  const left = withoutCopies(
    all,
    (each) => each,
    ({ id }, kind) => dropped.push(`${kind} ${id}`),
  );
  return { left: left.map(({ id, hasWords }) => `${id}${hasWords ? '' : ' bare'}`), dropped };
}

const session = (id: string, recording: string, hasWords = true) => ({ id, recording, hasWords });

test('a copy without words goes, whatever it is called and wherever it stands', () => {
  const all = [session('digest', 'r', false), session('S', 'r'), session('other', 'q', false)];
  expect(kept(all)).toEqual({ left: ['S', 'other bare'], dropped: ['content-free-copy digest'] });
});

test('a copy with words goes if it has the name of the first; scripted runs that are alike stay', () => {
  const all = [session('S', 'r'), session('S', 'r'), session('T', 'r'), session('S', 'q')];
  expect(kept(all)).toEqual({ left: ['S', 'T', 'S'], dropped: ['session-copy S'] });
});
