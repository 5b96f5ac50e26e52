import type { TtlClass } from '../provider.ts';

/** How often a cache that should have held a prompt did not, by the pause before the request. */
interface Hazard {
  readonly provider: string;
  /** Pauses below `belowSeconds`: the share of reads that was lost. Longer pauses are the TTL's business. */
  readonly steps: readonly { readonly belowSeconds: number; readonly share: number }[];
  readonly source: string;
  readonly asOf: string;
}

/** Losses within the lifetime, as recorded: a read of less than half of the previous context. */
export const hazards: readonly Hazard[] = [
  {
    provider: 'anthropic',
    steps: [
      { belowSeconds: 60, share: 0.004 },
      // Recorded as 3.5 to 4.2 %.
      { belowSeconds: 300, share: 0.0385 },
      // Under the one-hour lifetime; the five-minute one has ended by then.
      { belowSeconds: 3600, share: 0.098 },
    ],
    source: 'public Claude Code sessions',
    asOf: '2026-11-30',
  },
  {
    provider: 'openai',
    steps: [
      { belowSeconds: 60, share: 0.021 },
      { belowSeconds: 300, share: 0.115 },
      { belowSeconds: 3600, share: 0.44 },
    ],
    source: 'public Codex sessions',
    asOf: '2026-11-30',
  },
];

/** Share of what the rules say is read that is expected to be lost after a pause, 0 where nothing was measured. */
export function expectedLoss(provider: string, idleMilliseconds: number, ttl: TtlClass): number {
  const steps = hazards.find((hazard) => hazard.provider === provider)?.steps ?? [];
  if (ttl === 'never' || Number.isNaN(idleMilliseconds)) return 0;
  return steps.find(({ belowSeconds }) => idleMilliseconds < belowSeconds * 1000)?.share ?? 0;
}
