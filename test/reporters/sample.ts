import type { Result, ResultRow } from '../../src/results/result.ts';

/** A row of round numbers; tests say what differs. */
export function sampleRow(label: string, more: Partial<ResultRow> = {}): ResultRow {
  return {
    policy: label.split(':')[0] ?? label,
    params: {},
    label,
    model: 'claude-opus-4-6',
    cache: 'anthropic',
    breakpoints: 'anchor',
    ttl: 'recorded',
    isBaseline: false,
    usage: { fresh: 1_200_000, cacheRead: 90_000_000, cacheWrite5m: 8_000_000, cacheWrite1h: 800_000, output: 400_000 },
    cost: { total: 118.5, fresh: 6, cacheRead: 45, cacheWrite: 57.5, output: 10, summarizer: 0 },
    calls: { total: 0, fresh: 0, shared: 0, server: 0, malformed: 0, failed: 0, oversized: 0, canceled: 0, stale: 0 },
    saving: null,
    savingRecordedMarkers: null,
    regret: null,
    ci95: null,
    few: false,
    verdict: 'breaks even',
    sessions: { cheaper: 0, equal: 44, dearer: 0, neverFired: 0, unsendable: 0, notApplicable: 0 },
    ...more,
  };
}

/** A small result: a baseline, a row that saves, one that costs more, one that never fired. */
export function sampleResult(more: Partial<Result> = {}): Result {
  return {
    schema: 'ctxsim.result/1',
    answer: 'Best of 3: elide (recent_turns=0) saves 21.3 % (19.8 to 22.9 %) over 44 sessions.',
    rows: [
      sampleRow('full', { isBaseline: true, verdict: 'never fired' }),
      sampleRow('elide:recent_turns=0', {
        params: { recent_turns: 0 },
        usage: {
          fresh: 900_000,
          cacheRead: 60_000_000,
          cacheWrite5m: 9_000_000,
          cacheWrite1h: 100_000,
          output: 400_000,
        },
        cost: { total: 93.2595, fresh: 4.5, cacheRead: 30, cacheWrite: 48.7595, output: 10, summarizer: 0 },
        saving: 0.213,
        savingRecordedMarkers: -0.05,
        ci95: [0.198, 0.229],
        verdict: 'saves',
        sessions: { cheaper: 40, equal: 1, dearer: 3, neverFired: 1, unsendable: 0, notApplicable: 0 },
      }),
      sampleRow('elide:recent_turns=4', {
        params: { recent_turns: 4 },
        cost: { total: 122.1735, fresh: 6, cacheRead: 45, cacheWrite: 61.1735, output: 10, summarizer: 0 },
        saving: -0.031,
        savingRecordedMarkers: -0.12,
        ci95: [-0.05, -0.012],
        verdict: 'costs more',
        sessions: { cheaper: 4, equal: 0, dearer: 40, neverFired: 0, unsendable: 0, notApplicable: 0 },
      }),
      sampleRow('bi', {
        saving: 0,
        savingRecordedMarkers: 0,
        ci95: [0, 0],
        verdict: 'never fired',
        sessions: { cheaper: 0, equal: 44, dearer: 0, neverFired: 44, unsendable: 0, notApplicable: 0 },
      }),
    ],
    corpus: {
      sessions: 44,
      turns: 612,
      requests: 5_034,
      tokens: 100_000_000,
      shares: {
        system: 0.12,
        prompts: 0.03,
        replies: 0.15,
        currentTurnResults: 0.2,
        earlierTurnResults: 0.4,
        output: 0.1,
      },
      largestSession: 0.123,
      largestFive: 0.401,
      bound: null,
    },
    assumptions: {
      baseline: 'full',
      models: ['claude-opus-4-6'],
      cache: ['anthropic'],
      breakpoints: ['anchor', 'claude-code'],
      ttl: 'recorded, else 5m',
      pricedAt: "each session's date",
      tokens: 'recorded usage',
      estimatedShare: 0.021,
      tokenUncertainty: null,
      notes: ['recorded replies are replayed: a model that sees less may answer otherwise'],
    },
    digest: { version: '0.1.0', prices: 'genai-prices@0.1.8+ctxsim@2026-11-30', inputs: 'abc123', seed: 1 },
    sessions: [],
    findings: [],
    ...more,
  };
}
