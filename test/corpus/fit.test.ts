import { expect, test } from 'vitest';
import { recorded } from '../../src/policies/recorded.ts';
import { readFiles } from '../../src/run/index.ts';
import { Findings, promptTokens } from '../../src/session/index.ts';
import { countSession, loadTokenCounter, measureSession } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';

const shared = process.env.CTXSIM_SHARED ?? new URL('../../../shared', import.meta.url).pathname;

test.each(['claude-code', 'codex', 'edits', 'pi'])(
  'the blocks of every request of corpus/%s add up to its recorded prompt',
  async (folder) => {
    const counter = await loadTokenCounter();
    const findings = new Findings();
    let requests = 0;
    for await (const { sessions } of readFiles({ paths: [`${shared}/corpus/${folder}`], cwd: '/', findings })) {
      for (const session of sessions.filter((candidate) => candidate.requests.some(({ usage }) => usage))) {
        const account = countSession(measureSession(session, counter));
        expect(account.blocks.every((tokens) => tokens >= 0)).toBe(true);
        const { seen } = replayCounted(account, { policy: () => recorded.create({}), cache: 'none' });
        const prompts = session.requests.map(({ usage }, at) => (usage ? promptTokens(usage) : seen[at]?.prompt));
        expect(seen.map(({ prompt }) => prompt)).toEqual(prompts);
        requests += prompts.length;
      }
    }
    expect(requests).toBeGreaterThan(900);
  },
);
