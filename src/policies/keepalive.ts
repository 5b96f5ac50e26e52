import type { Plan } from './plan.ts';
import type { Policy, PolicyKind, Settings } from './policy.ts';

/** A ping repeats the last request with a word behind it, and asks for the shortest answer there is. */
const pingTokens = { input: 1, output: 1 } as const;

/**
 * Pings that keep the cache entry alive in a pause: each reads the whole prefix for the read price, and saves writing it
 * again if the pause ends before the next ping is due. It cannot know how long a pause will be, so it stops after `pings`.
 */
export const keepalive: PolicyKind = {
  name: 'keepalive',
  summary:
    'In a pause, shortly before the cache entry expires, a ping reads the prefix and so renews it, a few times at most.',
  source: 'own idea',
  needs: ['times'],
  params: {
    pings: { type: 'integer', default: 1, min: 1, doc: 'most pings in one pause' },
    min_tokens: { type: 'integer', default: 20_000, min: 0, doc: 'smaller prompts are left to expire' },
  },
  create: (settings) => createKeepalive(settings),
};

function createKeepalive(settings: Settings): Policy {
  /** Requests of the turn so far: another number, or another turn, is another pause. */
  let pause = '';
  let pings = 0;
  return {
    events: ['idle_deadline'],
    on: (_, state): Plan | undefined => {
      const current = `${state.turn}.${state.round}`;
      if (current !== pause) pings = 0;
      pause = current;
      if (pings >= (settings.pings as number) || state.nextPrompt < (settings.min_tokens as number)) return undefined;
      pings += 1;
      return {
        calls: [
          { purpose: 'keepalive', prefix: 'shared', ...pingTokens, reason: 'the cache entry is about to expire' },
        ],
      };
    },
  };
}
