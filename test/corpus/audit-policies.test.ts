import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ctxsim } from '../cli/run.ts';

const shared = process.env.CTXSIM_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const cwd = `${shared}/cases/audit`;

interface Explained {
  readonly requests: readonly {
    readonly request: number;
    readonly turn: number;
    readonly usage: { fresh: number; cacheRead: number; cacheWrite5m: number; cacheWrite1h: number };
  }[];
}

/** The size of every request under a policy, tokens. */
async function prompts(file: string, policy: string, ...flags: string[]): Promise<number[]> {
  const { out, err } = await ctxsim(cwd, ['explain', file, '--policy', policy, '--format', 'json', '-q', ...flags]);
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as Explained).requests.map(
    ({ usage }) => usage.fresh + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h,
  );
}

/** What the first request that a policy changed would have had. */
async function firstAct(file: string, policy: string, ...flags: string[]): Promise<number | undefined> {
  const whole = await prompts(file, 'full', '--window', '10000000');
  const own = await prompts(file, policy, ...flags);
  return whole[own.findIndex((prompt, at) => prompt !== whole[at])];
}

describe('a preset acts at its own level (row 1)', () => {
  // Requests grow by 950 tokens: the first one that reaches 180,000, 183,616, more than 171,808, 170,000.
  it.each([
    ['codex-local', 180_850],
    ['codex-remote-v2', 180_850],
    ['openai-server-compaction', 180_850],
    ['pi', 183_700],
    ['roo', 172_300],
    ['deepagents', 170_400],
    ['letta-sliding', 183_700],
    ['letta-self-compact', 183_700],
  ])('%s at %d of 200,000', async (preset, tokens) => {
    expect(await firstAct('b_inturn.jsonl', preset, '--window', '200000')).toBe(tokens);
  });
});

it('SWE-agent masks from the sixth result on (row 2)', async () => {
  const [whole, own] = [await prompts('b_swe.jsonl', 'full'), await prompts('b_swe.jsonl', 'swe-agent-last-n')];
  expect(own.findIndex((prompt, at) => prompt !== whole[at])).toBe(6);
});

it('Aider keeps less than 4,096 tokens of history (row 3)', async () => {
  const { out } = await ctxsim(cwd, [
    'explain',
    'b_aider.jsonl',
    '-p',
    'aider',
    '--window',
    '200000',
    '--format',
    'json',
    '-q',
  ]);
  const { requests } = JSON.parse(out) as Explained;
  const first = requests.find(({ turn }) => turn === 2)?.request ?? 0;
  const [own = 0] = (await prompts('b_aider.jsonl', 'aider', '--window', '200000')).slice(first - 1);
  // 2,000 of opening, a summary of 2,800, a tail, and the new prompt of 100.
  expect(own).toBeLessThan(9000);
  expect(own - 2000 - 2800 - 100).toBeLessThan(4096);
});

it("Codex's window for gpt-5 is 272,000: it compacts at 244,800 (row 4)", async () => {
  const act = await firstAct('b_gpt5.jsonl', 'codex-local');
  expect(act).toBeGreaterThanOrEqual(244_800);
  expect(act).toBeLessThan(244_800 + 2000);
});

describe('Bi drops history beyond 40 turns whatever N is (row 5)', () => {
  it.each([
    ['bi:recent_turns_full=45', 40],
    ['bi:recent_turns_full=60', 40],
    ['bi:recent_turns_full=45,cap_mode=sliding,turn_cap=5', 5],
    ['bi:turn_cap=5', 5],
  ])('%s: %d turns', async (policy, cap) => {
    const { out } = await ctxsim(cwd, [
      'explain',
      'a5.jsonl',
      '-p',
      policy,
      '--window',
      '1000000',
      '--format',
      'json',
      '-q',
    ]);
    const { requests } = JSON.parse(out) as Explained;
    const sizes = await prompts('a5.jsonl', policy, '--window', '1000000');
    // 500 of system, 1,830 a turn, 100 of the new prompt; no summary.
    for (const { turn, request } of requests.filter((one, at) => one.turn !== requests[at - 1]?.turn))
      expect(sizes[request - 1]).toBe(500 + 1830 * Math.min(turn - 1, cap) + 100);
  });
});

it('the row that cannot be sent is named, and what to do (rows 6 and 9)', async () => {
  const window = ['--window', '20000', '--output-reserve', '4000'];
  const { out } = await ctxsim(cwd, ['replay', 'a2.jsonl', '-p', 'heph', ...window]);
  expect(out).toMatch(/^full could not be sent over 1 session: heph has nothing to be compared with/);
  expect(out).not.toMatch(/heph could not be sent/);
  const { out: whole } = await ctxsim(cwd, ['replay', 'a2.jsonl', '-p', 'full', ...window]);
  expect(whole).toContain('shorten the prompt or use /clear');
});

it('Bi builds finished turns again without thinking, and knows its keys (row 10)', async () => {
  const [whole, own] = [await prompts('a7.jsonl', 'full'), await prompts('a7.jsonl', 'bi')];
  expect(own.some((prompt, at) => prompt < (whole[at] as number))).toBe(true);
  expect(await prompts('a7.jsonl', 'bi:rebuild=merged,summary_max_chars=1000')).toEqual(own);
});

it('a call without a result gets a placeholder of 9 tokens under Bi, and a finding everywhere (row 11)', async () => {
  const [whole, own] = [await prompts('a6.jsonl', 'full'), await prompts('a6.jsonl', 'bi')];
  expect(own.map((prompt, at) => prompt - (whole[at] as number))).toContain(9);
  const { err } = await ctxsim(cwd, ['replay', 'a6.jsonl', '-p', 'full']);
  expect(err).toContain('unanswered-call');
});

it.each(['heph_empty.toml', 'heph_nocontext.toml'])('%s leaves all defaults (row 16)', async (file) => {
  const { status, out } = await ctxsim(cwd, ['replay', 'a2.jsonl', '-p', `heph:config=${file}`, '--format', 'csv']);
  expect(status).toBe(0);
  expect(out).toBe((await ctxsim(cwd, ['replay', 'a2.jsonl', '-p', 'heph', '--format', 'csv'])).out);
});
