import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/reporters/html.ts';
import { type Result, resultSchema } from '../../src/results/result.ts';
import { sampleResult, sampleRow } from './sample.ts';

const usage = { fresh: 10, cacheRead: 900, cacheWrite5m: 90, cacheWrite1h: 0, output: 20 };
const request = { request: 1, turn: 1, time: null, model: 'm', usage, usd: 0.5, newTokens: 90, resent: [], edit: null };

/** A result with everything that a page can show, each name of it as given. */
function fullResult(name: string): Result {
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
    recommendation: {
      set: best,
      where: name,
      command: name,
      crossValidation: null,
      shown: [{ label: best, where: name }],
    },
  });
}

const pageOf = async (result: Result) => String(await html.render(result, { color: false }));
const documentOf = (page: string) => parseHTML(page).document;
const textOf = (page: string, selector: string) => documentOf(page).querySelector(selector)?.textContent ?? '';

describe('html', () => {
  it('answers first, then shows figures, charts, tables, assumptions', async () => {
    const page = await pageOf(fullResult('full'));
    expect(textOf(page, 'h1')).toBe('full');
    const titles = [...documentOf(page).querySelectorAll('h2')].map(({ textContent }) => textContent);
    expect(titles).toEqual([
      'Savings',
      'Settings',
      'Bills',
      'Inside a session',
      'Session by session',
      'Other prices',
      'What was assumed',
    ]);
    const ids = [...documentOf(page).querySelectorAll('figure')].map(({ id }) => id);
    expect(ids).toEqual(['savings', 'curve-0', 'money', 'strips', 'sessions']);
  });

  it('leaves out what the result does not know', async () => {
    const page = await pageOf(sampleResult());
    const ids = [...documentOf(page).querySelectorAll('figure')].map(({ id }) => id);
    expect(ids).toEqual(['savings', 'money']);
    expect(page).not.toMatch(/undefined|NaN|\[object/);
  });

  it('says of every chart what it shows, in words and as a table', async () => {
    const document = documentOf(await pageOf(fullResult('full')));
    const drawings = [...document.querySelectorAll('svg')];
    expect(drawings.length).toBe(10);
    for (const svg of drawings) {
      expect(svg.getAttribute('role')).toBe('img');
      expect(svg.querySelector('title')?.textContent).not.toBe('');
      expect(svg.querySelector('desc')?.textContent).not.toBe('');
      expect(svg.getAttribute('aria-labelledby')).toBe(svg.querySelector('title')?.id);
    }
    for (const figure of document.querySelectorAll('figure'))
      expect(figure.querySelectorAll('details table').length, figure.id).toBeGreaterThan(0);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('draws the saving where the scale says it is', async () => {
    const row = (label: string, saving: number) => sampleRow(label, { saving, ci95: null, verdict: 'saves' });
    const result = sampleResult({ rows: [sampleRow('full', { isBaseline: true }), row('a', 0.1), row('b', 0.2)] });
    const svg = documentOf(await pageOf(result)).querySelector('#savings svg.wide');
    const [a, b] = [...(svg?.querySelectorAll('circle') ?? [])].map((dot) => Number(dot.getAttribute('cx')));
    const rules = [...(svg?.querySelectorAll('line') ?? [])].filter(
      (line) => line.getAttribute('x1') === line.getAttribute('x2'),
    );
    const zeros = rules.map((line) => Number(line.getAttribute('x1')));
    // From the line at zero to twice the saving is twice as far.
    expect(zeros.some((zero) => Math.abs((b ?? 0) - zero - 2 * ((a ?? 0) - zero)) < 0.1 && (a ?? 0) > zero)).toBe(true);
  });

  it('shows parts of bills by what they were for where that is known, else by class', async () => {
    const legend = async (result: Result) => textOf(await pageOf(result), '#money .legend');
    expect(await legend(fullResult('full'))).toBe('sent again in full');
    expect(await legend(sampleResult())).toBe('read from the cachewritten to the cachefreshoutput');
  });

  it('has no script, no address to fetch, and a policy that forbids both', async () => {
    const page = await pageOf(fullResult('full'));
    const document = documentOf(page);
    expect(document.querySelectorAll('script, link, iframe, img, object, a, form').length).toBe(0);
    expect(page.replaceAll('http-equiv', '')).not.toMatch(/https?:|url\(|@import|\son\w+=/);
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toContain(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
  });

  it('shows every name of a transcript as text, whatever it holds', async () => {
    const tags = '</title></style><script>alert(1)</script><img src=x onerror="alert(1)">\'"&{{x}}--><!--';
    const hidden = '\u202Eevil\u202C\u2066\u2069\u200B\u200F\uFEFF\u0000\u001B[31m\u0085\u2028\uD800';
    const benign = documentOf(await pageOf(fullResult('full')));
    const page = await pageOf(fullResult(tags + hidden));
    const document = documentOf(page);
    const names = (of: typeof document) => [...of.querySelectorAll('*')].map(({ tagName }) => tagName).join(' ');
    // The same elements as with a plain name: none was made or ended by the text.
    expect(names(document)).toBe(names(benign));
    expect(textOf(page, 'h1')).toContain('<script>alert(1)</script>');
    expect(page).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);
    expect(textOf(page, 'h1')).toContain('\uFFFDevil\uFFFD');
  });

  it('is as long for a thousand sessions as for those that differ most', async () => {
    const result = fullResult('full');
    const sessions = Array.from({ length: 1000 }, (_, at) => ({
      ...result.sessions[0],
      id: `s${at}`,
      cost: { full: 4, 'full:0': at % 7 },
    })) as Result['sessions'];
    const page = await pageOf({ ...result, sessions });
    expect(documentOf(page).querySelectorAll('#sessions tbody tr').length).toBe(400);
    expect(textOf(page, '#sessions')).toContain('--format json has all');
    expect(page.length).toBeLessThan(500_000);
  });
});
