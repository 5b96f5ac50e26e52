import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explanationSchema } from '../../src/results/explanation.ts';
import { writeNative } from '../../src/session/native.ts';
import { sessionOf } from '../sessions.ts';
import { tempFolder } from '../temp.ts';
import { ctxsim } from './run.ts';

const cwd = tempFolder();
const turn = { prompt: 100, rounds: [{ call: 50, result: 1000 }], reply: 20 };
for (const name of ['a', 'b']) {
  const session = sessionOf([turn, { ...turn, pauseSeconds: 600 }, turn], { id: name });
  writeFileSync(join(cwd, `${name}.jsonl`), `${[...writeNative(session)].join('\n')}\n`);
}

describe('ctxsim explain', () => {
  test('one session: sentences, parts that add up to the bill, every request with its causes', async () => {
    const { status, out } = await ctxsim(cwd, ['explain', 'a.jsonl', '--format', 'json']);
    expect(status).toBe(0);
    const explanation = explanationSchema.parse(JSON.parse(out));
    expect(explanation.requests).toHaveLength(6);
    const total = explanation.parts.reduce((sum, { usd }) => sum + usd, 0);
    expect(total).toBeCloseTo(explanation.usd, 12);
    expect(explanation.requests.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(explanation.usd, 12);
    // The pause: 3,150 tokens written once more at 3.75 instead of 0.30 USD per million.
    expect(explanation.resentTokens).toBe(3150);
    expect(explanation.requests[2]?.resent).toMatchObject([{ cause: 'expired', tokens: 3150 }]);
    expect(explanation.requests[2]?.resent[0]?.extraUsd).toBeCloseTo((3150 * (3.75 - 0.3)) / 1e6, 12);

    const table = await ctxsim(cwd, ['explain', 'a.jsonl', '--policy', 'elide:recent_turns=0']);
    expect(table.out).toContain('Under elide:recent_turns=0 the 6 requests cost');
    expect(table.out).toContain('from block 3 of turn 1 on (result of an earlier turn elided)');
  });

  test('several: the sessions, dearest first, and no requests', async () => {
    const { out } = await ctxsim(cwd, ['explain', 'a.jsonl', 'b.jsonl']);
    expect(out).toContain('of 2 sessions cost');
    expect(out).toContain('What broke the cache most: the cache entry had expired');
    const elided = await ctxsim(cwd, ['explain', 'a.jsonl', 'b.jsonl', '--policy', 'elide:recent_turns=1']);
    // The command explains the same bill.
    expect(elided.out).toMatch(/with: ctxsim explain [ab]\.jsonl --policy elide:recent_turns=1\n/);
    const csv = await ctxsim(cwd, ['explain', 'a.jsonl', 'b.jsonl', '--format', 'csv']);
    expect(csv).toMatchObject({ status: 2, out: '' });
    expect(csv.err).toContain('lists the requests of one session');
  });

  test('csv: a line per request, numbers unrounded', async () => {
    const { out } = await ctxsim(cwd, ['explain', 'a.jsonl', '--format', 'csv']);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[3]).toContain('the cache entry had expired: 3150');
  });

  test('markdown, and files in the format of their endings', async () => {
    const { status, out } = await ctxsim(cwd, ['explain', 'a.jsonl', '-o', 'a.md', '-o', 'a.csv', '-o', 'a.json']);
    expect([status, out]).toEqual([0, '']);
    const written = (name: string) => readFileSync(join(cwd, name), 'utf8');
    expect(written('a.md')).toMatch(
      /^\*\*Under recorded the 6 requests cost .*\n\n[\s\S]*\n\| request \| turn \| pause \| /,
    );
    expect(written('a.csv').trim().split('\n')).toHaveLength(7);
    expect(explanationSchema.parse(JSON.parse(written('a.json'))).requests).toHaveLength(6);
    const printed = await ctxsim(cwd, ['explain', 'a.jsonl', '--format', 'md']);
    expect(printed.out).toBe(written('a.md'));
    expect((await ctxsim(cwd, ['explain', 'a.jsonl', '-o', 'a.html'])).err).toContain(
      'no format has the ending ".html"',
    );
  });

  test('says how long a pause was, and which model where there are several', async () => {
    const { out } = await ctxsim(cwd, ['explain', 'a.jsonl']);
    // The reply to the first prompt, 10 s before, then ten minutes and those 10 s.
    expect(out).toMatch(/\n +2 +1 +10 s /);
    expect(out).toMatch(/\n +3 +2 +10 min /);
    expect(out).not.toContain('model  ');
    const mixed = sessionOf([turn, turn], { id: 'mixed' });
    const [first, ...others] = mixed.requests;
    const requests = [{ ...first, model: 'claude-opus-4-5' }, ...others] as typeof mixed.requests;
    writeFileSync(join(cwd, 'mixed.jsonl'), `${[...writeNative({ ...mixed, requests })].join('\n')}\n`);
    const both = await ctxsim(cwd, ['explain', 'mixed.jsonl']);
    expect(both.out).toMatch(/\n +1 +1 +- +claude-opus-4-5 /);
    expect(both.out).toMatch(/\n +2 +1 +10 s +claude-sonnet-4-5 /);
  });

  test('sessions of one file are told apart, and no command claims to explain one of them', async () => {
    const two = ['one', 'two'].flatMap((id) => [
      ...writeNative(sessionOf([turn, { ...turn, pauseSeconds: id === 'one' ? 600 : 0 }], { id })),
    ]);
    writeFileSync(join(cwd, 'pair.jsonl'), `${two.join('\n')}\n`);
    const { out } = await ctxsim(cwd, ['explain', 'pair.jsonl']);
    expect(out).toMatch(/\nIt hit session one of pair\.jsonl hardest: \$[\d.]+ of \$[\d.]+\.\n/);
    expect(out).toMatch(/\none +pair\.jsonl /);
    expect(out).toMatch(/\ntwo +pair\.jsonl /);
  });

  test('says from which request on the prompt was too long', async () => {
    // 36,400 less the 32,000 kept free are 4,400 tokens: the fourth request has 2,000 + 2 × 1,150 + 20, the fifth 120 more.
    const { out } = await ctxsim(cwd, ['explain', 'a.jsonl', '--policy', 'full', '--window', '36400']);
    expect(out).toContain(
      'Request 5, in turn 3, is the first that is longer than the window allows. 2 requests could not have been sent, and are billed as if sent.',
    );
    expect(out.match(/ {2}longer than the window allows/g)).toHaveLength(2);
    expect(out).toContain('1 of 1 sessions could not have been sent whole');
    const fits = await ctxsim(cwd, ['explain', 'a.jsonl', '--policy', 'full', '--window', '40000']);
    expect(fits.out).not.toContain('longer than');
  });

  test('several policies or models are refused', async () => {
    const policies = await ctxsim(cwd, ['explain', 'a.jsonl', '--policy', 'elide:recent_turns=0,1']);
    expect(policies).toMatchObject({ status: 2 });
    expect(policies.err).toContain('stands for 2 policies');
    const ttls = await ctxsim(cwd, ['explain', 'a.jsonl', '--ttl', '5m,1h']);
    expect(ttls.err).toContain('take one value each');
  });
});
