import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/reporters/html.ts';
import { type Result, type ResultRow, resultSchema } from '../../src/results/result.ts';
import { fullAdvice, fullResult } from './full-result.ts';
import { sampleResult, sampleRow } from './sample.ts';

const baseline = sampleRow('full', { isBaseline: true });
const noUsage = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };
const noCost = { total: 0, fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0, storage: 0, summarizer: 0 };
const noSessions = { cheaper: 0, equal: 0, dearer: 0, neverFired: 0, unsendable: 0, notApplicable: 0, unpriced: 0 };

/** A sample with these rows, one map of bills for each, and a cost of each in every session. */
function resultWith(rows: readonly ResultRow[], weights = { rest: 1, read: 10, write: 2 }): Result {
  const sample = sampleResult();
  const sessions = ['a', 'b'].map((id) => ({
    id,
    file: `${id}.jsonl`,
    format: 'native',
    model: 'm',
    turns: 0,
    requests: 0,
    cost: Object.fromEntries(
      rows.map(({ label, cost, saving, isBaseline }) => [label, isBaseline || saving !== null ? cost.total : null]),
    ),
    events: [],
  }));
  return resultSchema.parse({
    ...sample,
    rows,
    sessions,
    byPrice: [
      {
        models: [{ model: 'm', read: 0.1, write: 1.25 }],
        rows: rows
          .filter(({ isBaseline }) => !isBaseline)
          .map(({ label, saving }) => ({
            label,
            row: { ...weights, read: weights.read * (1 - (saving ?? 0)) },
            baseline: weights,
          })),
      },
    ],
  });
}

/** The page, which holds no number that is none. */
async function pageOf(result: Result): Promise<string> {
  const page = String(await html.render(result, { color: false }));
  expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
  return page;
}
const figuresOf = (page: string) => [...parseHTML(page).document.querySelectorAll('figure')].map(({ id }) => id);

describe('a page of extreme numbers', () => {
  it('shows nothing of nothing: no requests, no dollars', async () => {
    const nothing = { usage: noUsage, cost: noCost };
    const rows = [sampleRow('full', { isBaseline: true, ...nothing }), sampleRow('own', { ...nothing, saving: null })];
    const { corpus, ...result } = resultWith(rows, { rest: 0, read: 0, write: 0 });
    const empty = { sessions: 1, turns: 0, requests: 0, tokens: 0, largestSession: 0, largestFive: 0 };
    expect(figuresOf(await pageOf({ ...result, corpus: { ...corpus, ...empty } }))).toEqual([]);
  });

  it('draws a row that costs five times as much at the edge, and says so', async () => {
    const page = await pageOf(
      resultWith([baseline, sampleRow('own', { saving: -4, ci95: [-6, -2], verdict: 'costs more' })]),
    );
    const { document } = parseHTML(page);
    expect(document.querySelector('#savings p')?.textContent).toContain('A triangle at the left edge');
    expect(document.querySelector('#savings svg')?.textContent).toContain('-400.0\u00A0% costs more');
    expect(document.querySelectorAll('#savings svg.wide circle').length).toBe(0);
    expect(document.querySelector('#prices p')?.textContent).toContain('own costs more at all of these prices');
  });

  it.each([
    ['only dearer ones', [-0.02, -0.1, -0.3]],
    ['all the same', [0, 0, 0]],
    ['all that there is', [1, 1, 1]],
    ['many', Array.from({ length: 40 }, (_, at) => 0.4 - at / 20)],
  ])('draws every row of %s', async (_, savings) => {
    const rows = savings.map((saving, at) =>
      sampleRow(`own:n=${at}`, { policy: 'own', params: { n: at }, saving, savingRecordedMarkers: saving / 2 }),
    );
    const page = await pageOf(resultWith([baseline, ...rows]));
    expect(figuresOf(page)).toEqual(['savings', 'curve-0', 'money', 'sessions', 'prices']);
    const drawn = parseHTML(page).document.querySelectorAll(
      '#savings svg.wide circle, #savings svg.wide path[transform*="rotate"]',
    );
    expect(drawn.length).toBe(savings.length);
  });

  it('leaves rows that never fired out of the charts of many, and says so; the table has them', async () => {
    const rows = Array.from({ length: 20 }, (_, at) =>
      sampleRow(`own:n=${at}`, { saving: at < 3 ? 0.1 : 0, verdict: at < 3 ? 'saves' : 'never fired' }),
    );
    const { document } = parseHTML(await pageOf(resultWith([baseline, ...rows])));
    expect(document.querySelectorAll('#savings svg.wide circle').length).toBe(3);
    expect(document.querySelector('#savings p')?.textContent).toBe(
      'Left out here: 17 rows that never fired in any session.',
    );
    expect(document.querySelectorAll('#savings tbody tr').length).toBe(21);
  });

  it('shows rows that could not be compared in the table, with no bill', async () => {
    const lacking = (label: string, verdict: ResultRow['verdict'], key: keyof ResultRow['sessions']) =>
      sampleRow(label, { verdict, cost: noCost, usage: noUsage, sessions: { ...noSessions, [key]: 44 } });
    const rows = [
      baseline,
      lacking('large', 'unsendable', 'unsendable'),
      lacking('timed', 'not applicable', 'notApplicable'),
      lacking('secret', 'unpriced', 'unpriced'),
    ];
    const page = await pageOf(resultWith(rows));
    expect(figuresOf(page)).toEqual(['money']);
    const cells = [...parseHTML(page).document.querySelectorAll('table tbody tr')].map(
      ({ textContent }) => textContent,
    );
    for (const verdict of ['unsendable', 'not applicable', 'unpriced'])
      expect(cells.some((cell) => cell.includes(verdict))).toBe(true);
  });

  it('shows a request without tokens, and a trillion of them', async () => {
    for (const tokens of [0, 1e12]) {
      const result = fullResult('full');
      const trace = result.detail?.trace;
      if (!result.detail || !trace) throw new Error('no trace');
      const usage = { ...noUsage, cacheRead: tokens };
      const rows = trace.rows.map((row) => ({
        ...row,
        requests: row.requests.map((request) => ({ ...request, usage })),
      }));
      expect(figuresOf(await pageOf({ ...result, detail: { ...result.detail, trace: { ...trace, rows } } }))).toContain(
        'strips',
      );
    }
  });

  it('draws no line where one price decides alone, or none', async () => {
    for (const weights of [
      { rest: 1, read: 0, write: 0 },
      { rest: 0, read: 5, write: 0 },
      { rest: 0, read: 0, write: 5 },
    ]) {
      const page = await pageOf(resultWith([baseline, sampleRow('own', { saving: 0.1 })], weights));
      expect(figuresOf(page)).toContain('prices');
    }
  });

  it('draws the line where both bills are equal', async () => {
    const { document } = parseHTML(await pageOf(fullResult('full')));
    expect(document.querySelector('#prices p')?.textContent).toContain(
      'Along the dashed line full:0 and full cost the same',
    );
    // 10 + 90 r + 12.5 w = 10 + 100 r + 12 w at r = w / 20: 0.05 at a write price of 1, 0.1 at 2.
    const path = document.querySelector('#prices svg.wide g[stroke-dasharray] path')?.getAttribute('d') ?? '';
    const points = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    const [width, left, right] = [860, 44, 16];
    const xOf = (read: number) => left + ((width - left - right) * Math.log(read / 0.012)) / Math.log(1.3 / 0.012);
    const xs = points.map(([x]) => x);
    expect(Math.min(...xs)).toBeCloseTo(xOf(0.045), 0);
    expect(Math.max(...xs)).toBeCloseTo(xOf(0.105), 0);
    expect(points.every(([, y], at) => at === 0 || y <= (points[at - 1]?.[1] ?? 0))).toBe(true);
  });
});

describe('a page of hostile names', () => {
  it('stays small, whatever the length of a name; a command is whole', async () => {
    const long = 'x'.repeat(100_000);
    const page = await pageOf(fullResult(long));
    expect(page.length).toBeLessThan(1_000_000);
    expect(page).toContain('…');
    const advice = parseHTML(await pageOf(fullAdvice(long))).document;
    expect(advice.querySelector('pre code')?.textContent?.length).toBe(long.length);
  });

  it.each([
    ['ends of a CDATA section, of a comment, of a style', ']]></style></svg></title></desc>--><b>'],
    ['bidi overrides, isolates and marks', '\u202A\u202B\u202D\u202E\u202C\u2066\u2067\u2068\u2069\u200E\u200F\u061C'],
    ['characters that are not seen', '\u0000\uFEFF\u200B\u2060\u00AD\u034F\u3164\u{E0001}\uFE0F\uFFFE'],
    ['halves of pairs', '\uD800a\uDC00'],
    ['letters under a hundred marks', `a${'\u0301'.repeat(100)}`],
    ['line ends', 'a\r\nb\u2028c\u0085d'],
  ])('shows %s as text', async (_, name) => {
    const page = await pageOf(fullResult(`n${name}`));
    expect(page).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|[^\P{Cc}\n]|\p{M}{3}/u);
    const { document } = parseHTML(page);
    expect(document.querySelectorAll('b').length).toBe(0);
    expect(document.querySelector('h1')?.textContent).toMatch(/^n/);
  });
});
