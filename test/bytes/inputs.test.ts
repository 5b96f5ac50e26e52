import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findInputs } from '../../src/bytes/index.ts';
import { CtxsimError } from '../../src/errors.ts';
import { Findings } from '../../src/session/findings.ts';
import { tempFolder } from '../temp.ts';

function tree(files: readonly string[]): string {
  const root = tempFolder();
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `{"file":${JSON.stringify(file)}}\n`);
  }
  return root;
}

function find(cwd: string, ...paths: string[]): string[] {
  return findInputs(paths, { cwd, findings: new Findings() }).map(({ path }) => path);
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof CtxsimError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'nothing';
}

describe('files', () => {
  test('are kept as named, whatever they end in and whatever a glob would make of the name', () => {
    const cwd = tree(['a.txt', 'log[1].jsonl', 'log1.jsonl', 'history.jsonl']);
    expect(find(cwd, 'a.txt', 'log[1].jsonl', './history.jsonl')).toEqual(['a.txt', 'log[1].jsonl', './history.jsonl']);
  });

  test('a missing one is an error that names it', () => {
    expect(codeOf(() => find(tree([]), 'gone.jsonl'))).toMatch(/^no-match: .*gone\.jsonl/);
  });

  test('standard input is -', () => {
    expect(findInputs(['-', '-'], { cwd: tree([]), findings: new Findings() })).toEqual([{ path: '-', file: '-' }]);
  });
});

describe('directories', () => {
  test('are searched for transcripts, without what stands beside them', () => {
    const cwd = tree([
      'p/b.jsonl',
      'p/a.json',
      'p/notes.md',
      'p/a/tool-results/x.jsonl',
      'p/a/memory/y.json',
      'p/a/journal.jsonl',
      'p/history.jsonl',
      'p/stats-cache.json',
      'p/a/subagents/agent-1.meta.json',
      'p/node_modules/z/package.json',
    ]);
    expect(find(cwd, 'p')).toEqual(['p/a.json', 'p/b.jsonl']);
  });

  test('sessions come before all sub-agents, in code-unit order', () => {
    const cwd = tree([
      'p/a.jsonl',
      'p/a/subagents/agent-2.jsonl',
      'p/a/subagents/workflows/wf_1/agent-3.jsonl',
      'p/agent-0.jsonl',
      'p/b.jsonl',
      'p/Z.jsonl',
    ]);
    expect(find(cwd, 'p')).toEqual([
      'p/Z.jsonl',
      'p/a.jsonl',
      'p/b.jsonl',
      'p/a/subagents/agent-2.jsonl',
      'p/a/subagents/workflows/wf_1/agent-3.jsonl',
      'p/agent-0.jsonl',
    ]);
  });

  test('an absolute one gives absolute paths', () => {
    const cwd = tree(['p/a.jsonl']);
    expect(find('/', join(cwd, 'p'))).toEqual([join(cwd, 'p', 'a.jsonl')]);
  });

  test('one without transcripts is an error', () => {
    expect(codeOf(() => find(tree(['p/readme.md']), 'p'))).toBe('no-transcripts: no transcripts in p');
  });
});

describe('globs', () => {
  test('are expanded, hidden folders included, directories searched', () => {
    const cwd = tree(['x/.c/1.jsonl', 'x/2.jsonl', 'y/z/3.jsonl', 'x/history.jsonl']);
    expect(find(cwd, '**/*.jsonl')).toEqual(['x/.c/1.jsonl', 'x/2.jsonl', 'y/z/3.jsonl']);
    expect(find(cwd, '{x,y}')).toEqual(['x/.c/1.jsonl', 'x/2.jsonl', 'y/z/3.jsonl']);
  });

  test('one that matches nothing is an error that names it', () => {
    expect(codeOf(() => find(tree(['a.jsonl']), '*.xyz'))).toBe('no-match: nothing matches *.xyz');
  });
});

describe('duplicates', () => {
  test('a path named twice is read once, without a finding', () => {
    const cwd = tree(['p/a.jsonl']);
    const findings = new Findings();
    expect(findInputs(['p', 'p/a.jsonl', './p/*.jsonl'], { cwd, findings })).toHaveLength(1);
    expect(findings.list()).toEqual([]);
  });

  test('links to a file, to a directory, and copies are read once and counted', () => {
    const cwd = tree(['p/a.jsonl', 'p/b.jsonl']);
    symlinkSync(join(cwd, 'p'), join(cwd, 'q'));
    symlinkSync(join(cwd, 'p', 'a.jsonl'), join(cwd, 'soft.jsonl'));
    linkSync(join(cwd, 'p', 'a.jsonl'), join(cwd, 'hard.jsonl'));
    writeFileSync(join(cwd, 'copy.jsonl'), '{"file":"p/b.jsonl"}\n');
    const findings = new Findings();
    const found = findInputs(['p', 'q', 'soft.jsonl', 'hard.jsonl', 'copy.jsonl'], { cwd, findings });
    expect(found.map(({ path }) => path)).toEqual(['p/a.jsonl', 'p/b.jsonl']);
    expect(findings.list()).toEqual([{ kind: 'duplicate-file', detail: '', count: 5, first: 'q/a.jsonl' }]);
  });

  test('a link to a folder above does not go round for ever', () => {
    const cwd = tree(['p/a.jsonl']);
    symlinkSync(cwd, join(cwd, 'p', 'loop'));
    const findings = new Findings();
    expect(findInputs(['p'], { cwd, findings }).map(({ path }) => path)).toEqual(['p/a.jsonl']);
    expect(findings.list()).toEqual([]);
  });

  test('a hard link is known by its inode, even of an empty file', () => {
    const cwd = tree([]);
    writeFileSync(join(cwd, 'a.jsonl'), '');
    linkSync(join(cwd, 'a.jsonl'), join(cwd, 'b.jsonl'));
    expect(find(cwd, '.')).toEqual(['a.jsonl']);
  });

  test('empty files are not copies of each other', () => {
    const cwd = tree([]);
    for (const name of ['a.jsonl', 'b.jsonl']) writeFileSync(join(cwd, name), '');
    expect(find(cwd, '.')).toEqual(['a.jsonl', 'b.jsonl']);
  });

  test('files of one length that differ far behind their heads are different files', () => {
    const cwd = tree([]);
    for (const end of ['1', '2']) writeFileSync(join(cwd, `${end}.jsonl`), `{"x":"${'y'.repeat(2_500_000)}${end}"}\n`);
    expect(find(cwd, '.')).toEqual(['1.jsonl', '2.jsonl']);
  });

  test('equal heads of different length are different files', () => {
    const cwd = tree([]);
    const head = `{"x":"${'y'.repeat(70_000)}"}\n`;
    writeFileSync(join(cwd, 'a.jsonl'), head);
    writeFileSync(join(cwd, 'b.jsonl'), `${head}{}\n`);
    expect(find(cwd, '.')).toHaveLength(2);
  });
});
