import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { html } from '../../src/reporters/html.ts';
import type { Result } from '../../src/results/result.ts';
import { fullAdvice, fullResult, hostileName } from './full-result.ts';
import { sampleResult, sampleRow } from './sample.ts';

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
    expect(ids).toEqual(['savings', 'curve-0', 'money', 'strips', 'sessions', 'prices']);
  });

  it('leaves out what the result does not know', async () => {
    const page = await pageOf(sampleResult());
    const ids = [...documentOf(page).querySelectorAll('figure')].map(({ id }) => id);
    expect(ids).toEqual(['savings', 'money']);
    expect(page).not.toMatch(/undefined|NaN|\[object/);
  });

  it('shows of a recommendation what to set, and charts of the rows worth a look', async () => {
    const page = await pageOf(fullAdvice('full'));
    const ids = [...documentOf(page).querySelectorAll('figure')].map(({ id }) => id);
    expect(ids).toEqual(['savings', 'money', 'strips', 'sessions', 'prices']);
    expect(documentOf(page).querySelectorAll('#savings svg.wide circle').length).toBe(1);
    expect(documentOf(page).querySelectorAll('#savings tbody tr').length).toBe(4);
    expect(textOf(page, 'code')).toBe('full');
  });

  it('says of every chart what it shows, in words and as a table', async () => {
    const document = documentOf(await pageOf(fullResult('full')));
    const drawings = [...document.querySelectorAll('svg')];
    expect(drawings.length).toBe(12);
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

  it('writes names and numbers into the drawings', async () => {
    const page = await pageOf(fullResult('full'));
    const textsOf = (selector: string) =>
      [...documentOf(page).querySelectorAll(`${selector} text`)].map(({ textContent }) =>
        textContent.replaceAll('\u00A0', ' '),
      );
    expect(textsOf('#savings svg.wide')).toEqual(expect.arrayContaining(['full:0', '+20.0 % saves', 'saving, % →']));
    expect(textsOf('#curve-0 svg.wide')).toEqual(expect.arrayContaining(['best +20.0 %', '1', 'full →']));
    expect(textsOf('#money svg.narrow')).toEqual(expect.arrayContaining(['full:2', '$118.50']));
    expect(textsOf('#strips svg')).toEqual(expect.arrayContaining(['1k', '1', '2']));
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
    for (const result of [fullResult, fullAdvice]) {
      const benign = documentOf(await pageOf(result('full')));
      const page = await pageOf(result(hostileName));
      const document = documentOf(page);
      const names = (of: typeof document) => [...of.querySelectorAll('*')].map(({ tagName }) => tagName).join(' ');
      // The same elements as with a plain name: none was made or ended by the text.
      expect(names(document)).toBe(names(benign));
      expect(page).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);
      expect(textOf(page, 'h1')).toContain('<script>alert(1)</script>');
      expect(textOf(page, 'h1')).toContain('\uFFFDevil\uFFFD');
    }
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
