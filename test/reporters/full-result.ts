import { type Result, resultSchema } from '../../src/results/result.ts';
import { sampleResult, sampleRow } from './sample.ts';

/** A name that a transcript may hold: it ends elements, makes some, and holds characters that are not seen. */
export const hostileName = [
  '</title></style><script>alert(1)</script><img src=x onerror="alert(1)">\'"&{{x}}--><!--',
  '\u202Eevil\u202C\u2066\u2069\u200B\u200F\uFEFF\u0000\u001B[31m\u0085\u2028\uD800',
].join('');

const usage = { fresh: 10, cacheRead: 900, cacheWrite5m: 90, cacheWrite1h: 0, output: 20 };
const request = { request: 1, turn: 1, time: null, model: 'm', usage, usd: 0.5, newTokens: 90, resent: [], edit: null };

/** A result with everything that a page can show of a replay, each name of it as given. */
export function fullResult(name: string): Result {
  const rows = [
    sampleRow(name, { isBaseline: true }),
    ...[0, 1, 2].map((turns) =>
      sampleRow(`${name}:${turns}`, {
        policy: name,
        params: { [name]: turns },
        saving: 0.2 - turns / 10,
        savingRecordedMarkers: 0.1,
        ci95: [0.1 - turns / 10, 0.3 - turns / 10],
        verdict: 'saves',
        model: name,
      }),
    ),
  ];
  const best = `${name}:0`;
  const sample = sampleResult();
  return resultSchema.parse({
    ...sample,
    answer: name,
    rows,
    assumptions: { ...sample.assumptions, baseline: name, models: [name], notes: [name] },
    sessions: [3, 5].map((usd, at) => ({
      id: `${name}${at}`,
      file: name,
      format: 'native',
      model: name,
      turns: 1,
      requests: 1,
      cost: { [name]: 4, [best]: usd },
      events: [],
    })),
    findings: [{ kind: name, detail: name, count: 1, first: name }],
    detail: {
      parts: rows.map(({ label }) => ({
        label,
        parts: [
          { kind: 'resent', cause: 'edit', detail: name, label: name, times: 1, tokens: 10, usd: 2, extraUsd: 1 },
        ],
      })),
      trace: {
        id: name,
        file: name,
        rows: [name, best].map((label) => ({
          label,
          requests: [request, { ...request, request: 2, edit: { turn: 1, block: 1, count: 2, reason: name } }],
        })),
      },
    },
    byPrice: [
      {
        models: [
          { model: name, read: 0.1, write: 1.25 },
          { model: `${name}, too`, read: 0.1, write: 1 },
        ],
        // Saves at a read price above (1.25 w - 0.75 w) / 10: the two change places inside the map.
        rows: [{ label: best, row: { rest: 10, read: 90, write: 12.5 }, baseline: { rest: 10, read: 100, write: 12 } }],
      },
    ],
    breakEven: [
      {
        label: best,
        readRatio: { now: 0.1, even: 0.2 },
        writeRatio: { now: 1.25, even: null },
        furtherRequests: null,
        refetchTimes: null,
        lifetimes: [],
        lifetimeEven: [],
        map: { readRatios: [0.1, 0.2], writeRatios: [1.25], savings: [[0.1], [-0.2]] },
      },
    ],
  });
}

/** The same as a recommendation, which names one row. */
export function fullAdvice(name: string): Result {
  const set = `${name}:0`;
  const shown = [{ label: set, where: name }];
  return { ...fullResult(name), recommendation: { set, where: name, command: name, crossValidation: null, shown } };
}
