import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const head = (id: string) => ({ type: 'session', format: 'ctxsim.session/1', id, model: 'claude-sonnet-4-5' });
const call = { type: 'block', kind: 'call', callId: 'c', tool: 'mcp__mine', target: 'secret.ts', text: 'secret' };
const answer = { type: 'block', kind: 'result', callId: 'c', text: '' };
const records = [head('a/b'), call, answer, { type: 'request' }, head('c'), { type: 'request' }];
const linesOf = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

let cwd: string;
beforeEach(() => {
  cwd = tempFolder();
  writeFileSync(join(cwd, 'in.jsonl'), linesOf(records));
});
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const convert = (...args: string[]) => ctxsim(cwd, ['convert', 'in.jsonl', ...args]);

describe('where it goes', () => {
  test('to standard output, and nothing else does', async () => {
    const { status, out, err } = await convert();
    expect(status).toBe(0);
    expect(out.split('\n').filter((line) => line.includes('"type":"session"'))).toHaveLength(2);
    expect(err).toBe('');
  });

  test('to a file, which is not written over unless told', async () => {
    expect((await convert('-o', 'out.jsonl')).err).toBe('2 sessions written to out.jsonl\n');
    const written = read('out.jsonl');
    const again = await convert('-o', 'out.jsonl', '--content-free');
    expect(again).toMatchObject({ status: 2, out: '' });
    expect(again.err).toContain('-o out.jsonl: it exists\n  Name another, or write over what is there with --force.');
    expect(read('out.jsonl')).toBe(written);
    expect((await convert('-o', 'out.jsonl', '--content-free', '--force')).status).toBe(0);
    expect(read('out.jsonl')).not.toBe(written);
    expect(readdirSync(cwd).sort()).toEqual(['in.jsonl', 'out.jsonl']);
  });

  test('over the file that is read, once it was read to its end', async () => {
    const { out } = await convert('--content-free');
    expect((await convert('--content-free', '-o', 'in.jsonl', '--force')).status).toBe(0);
    expect(read('in.jsonl')).toBe(out);
  });

  test('into a pipe, a device or what a link leads to, none of which is replaced', async () => {
    const { out } = await convert();
    symlinkSync('linked.jsonl', join(cwd, 'link.jsonl'));
    writeFileSync(join(cwd, 'linked.jsonl'), '');
    expect((await convert('-o', 'link.jsonl', '--force')).status).toBe(0);
    expect(lstatSync(join(cwd, 'link.jsonl')).isSymbolicLink()).toBe(true);
    expect(read('linked.jsonl')).toBe(out);
    execFileSync('mkfifo', [join(cwd, 'pipe.jsonl')]);
    const reader = openSync(join(cwd, 'pipe.jsonl'), constants.O_RDONLY | constants.O_NONBLOCK);
    expect((await convert('-o', 'pipe.jsonl', '--force')).status).toBe(0);
    expect(lstatSync(join(cwd, 'pipe.jsonl')).isFIFO()).toBe(true);
    const piped = Buffer.alloc(out.length + 1);
    expect(piped.toString('utf8', 0, readSync(reader, piped))).toBe(out);
    closeSync(reader);
  });

  test('to a gzipped file, which is found and read in a directory', async () => {
    mkdirSync(join(cwd, 'packed'));
    const { out } = await convert();
    await convert('-o', 'packed/out.jsonl.gz');
    expect(gunzipSync(readFileSync(join(cwd, 'packed/out.jsonl.gz'))).toString()).toBe(out);
    expect((await ctxsim(cwd, ['convert', 'packed'])).out).toBe(out);
  });

  test('to a file for each session in a directory, in their order', async () => {
    expect((await convert('-o', 'new/')).status).toBe(0);
    expect(readdirSync(join(cwd, 'new')).sort()).toEqual(['0001-a-b.jsonl', '0002-c.jsonl']);
    expect(read('new/0001-a-b.jsonl') + read('new/0002-c.jsonl')).toBe((await convert()).out);
    expect((await convert('-o', 'new')).err).toContain('-o new: the directory is not empty');
    expect((await convert('-o', 'new', '--force')).status).toBe(0);
  });

  test('nowhere, if nothing can be read', async () => {
    writeFileSync(join(cwd, 'in.jsonl'), 'no transcript\n');
    expect(await convert('-o', 'out.jsonl')).toMatchObject({ status: 2, out: '' });
    expect((await convert('-o', 'missing/out.jsonl')).err).toContain('-o missing/out.jsonl: ENOENT');
    expect(readdirSync(cwd)).toEqual(['in.jsonl']);
  });
});

describe('without words', () => {
  test('names that stay are said', async () => {
    const { out, err } = await convert('--content-free', '-o', 'out.jsonl');
    expect(out).toBe('');
    expect(err).toContain('Names that were kept: models claude-sonnet-4-5; tools none\n');
    expect(read('out.jsonl')).toContain('"tool":"tool1"');
    expect(read('out.jsonl')).not.toMatch(/secret|mine/);
    expect((await convert('--content-free', '-q')).err).toBe('');
  });

  test('beside the session itself a copy is not converted again, and the same with hidden tools is the same session', async () => {
    await convert('--content-free', '-o', 'bare.jsonl');
    await convert('--content-free', '--hide-tools', '-o', 'hidden.jsonl');
    const idsOf = (name: string) => read(name).match(/"id":"[^"]+"/g);
    expect(idsOf('hidden.jsonl')).toEqual(idsOf('bare.jsonl'));
    for (const order of [
      ['in.jsonl', 'bare.jsonl'],
      ['bare.jsonl', 'in.jsonl'],
    ]) {
      const { err } = await ctxsim(cwd, ['convert', ...order, '--content-free', '-o', 'both.jsonl', '--force', '-v']);
      expect(idsOf('both.jsonl')).toEqual(idsOf('bare.jsonl'));
      expect(err).toContain(
        'content-free-copy its session is there with words, and converted once: 2, first at bare.jsonl',
      );
    }
  });

  test('a copy that was given another model is another bill', async () => {
    await convert('--content-free', '-o', 'bare.jsonl');
    const other = read('bare.jsonl').replaceAll('claude-sonnet-4-5', 'claude-opus-4-5');
    writeFileSync(join(cwd, 'other.jsonl'), other);
    const { out } = await ctxsim(cwd, ['replay', 'in.jsonl', 'other.jsonl', '--policy', 'full', '--format', 'json']);
    const count = (name: string) => (read(name).match(/"type":"session"/g) ?? []).length;
    expect(JSON.parse(out).corpus.sessions).toBe(2 * count('bare.jsonl'));
  });

  test('beside the session itself a copy is not billed again, whichever is read first, and not merged with it', async () => {
    await convert('--content-free', '-o', 'bare.jsonl');
    const replay = (...args: string[]) => ctxsim(cwd, ['replay', ...args, '-v']);
    const alone = await replay('in.jsonl', '--format', 'csv');
    for (const order of [
      ['in.jsonl', 'bare.jsonl'],
      ['bare.jsonl', 'in.jsonl'],
    ]) {
      const { out, err } = await replay(...order, '--format', 'csv');
      expect(out).toBe(alone.out);
      expect(err).toContain(
        'content-free-copy its session is there with words, and billed once: 2, first at bare.jsonl',
      );
    }
    const page = await replay('bare.jsonl', 'in.jsonl', '--format', 'html');
    expect(page.out).toContain('Inside a session');

    for (const name of ['in', 'bare']) await replay(`${name}.jsonl`, '-o', `${name}.json`);
    const { status, err } = await ctxsim(cwd, ['report', 'in.json', 'bare.json']);
    expect(status).toBe(2);
    expect(err).toContain('bare.jsonl (bare.json) and in.jsonl (in.json) are the same recording');
  });

  test('--hide-tools numbers every tool', async () => {
    writeFileSync(join(cwd, 'in.jsonl'), linesOf([head('a'), { ...call, tool: 'Bash' }, { type: 'request' }]));
    expect((await convert('--content-free')).out).toContain('"tool":"Bash"');
    expect((await convert('--content-free', '--hide-tools')).out).toContain('"tool":"tool1"');
    expect((await convert('--hide-tools')).err).toContain('--hide-tools without --content-free');
  });
});
