import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { reporters } from '../../src/reporters/index.ts';
import { resultSchema } from '../../src/results/result.ts';
import { sampleResult, sampleRow } from './sample.ts';

const render = (name: string, result = sampleResult(), options = {}) =>
  reporters.get(name).render(result, { color: false, ...options }) as string;

describe('every format', () => {
  it('has a name, a title, an ending of its own, and ends with one line break', async () => {
    const endings = reporters.all.flatMap(({ extensions }) => extensions);
    expect(new Set(endings).size).toBe(endings.length);
    for (const { name, title, extensions } of reporters.all) {
      expect(title, name).not.toBe('');
      for (const ending of extensions) expect(ending).toMatch(/^(\.[a-z]+)+$/);
      expect(await render(name)).toMatch(/[^\n]\n$/);
    }
  });

  it('has no escape sequence without colour, whatever the transcripts hold', async () => {
    const result = sampleResult({ rows: [sampleRow('\u001b[31mred\u001b[0m', { model: 'a\r\nb' })] });
    for (const { name } of reporters.all) {
      expect(await render(name, result, { color: false }), name).not.toContain('\u001b');
    }
  });

  it('is the same twice', async () => {
    for (const { name } of reporters.all) expect(await render(name)).toBe(await render(name));
  });
});

describe('table', () => {
  it('shows the answer, the assumptions, the rows, and what was not modelled', () => {
    expect(render('table')).toMatchInlineSnapshot(`
      "Best of 3: elide (recent_turns=0) saves 21.3 % (19.8 to 22.9 %) over 44 sessions.

      model claude-opus-4-6 · cache anthropic · markers anchor, claude-code (saving: anchor, where the policy needs them; harness: as recorded) · TTL recorded, else 5m · prices each session's date
      tokens: recorded usage · 2.1 % of the prompt estimated
      44 sessions · 612 turns · 5,034 requests · 100.0M prompt tokens · largest session 12.3 % of the spend, largest five 40.1 % (in effect 20.5 sessions)
      spend of full: system 12.0 %, prompts 3.0 %, replies 15.0 %, results of the current turn 20.0 %, of earlier turns 40.0 %, output 10.0 %

      ┌──────────────────────┬─────────┬─────────┬────────────────┬─────────┬───────────────────────┬───────┬─────────┬────────┬────────┬─────────┬────────┬───────────┐
      │ policy               │    cost │  saving │  95 % interval │ harness │ verdict               │  read │ written │  fresh │   hits │ cheaper │ dearer │ not fired │
      ├──────────────────────┼─────────┼─────────┼────────────────┼─────────┼───────────────────────┼───────┼─────────┼────────┼────────┼─────────┼────────┼───────────┤
      │ full                 │ $118.50 │       - │              - │       - │ baseline              │ 90.0M │    8.8M │   1.2M │ 90.0 % │       - │      - │         - │
      │ elide:recent_turns=0 │  $93.26 │ +21.3 % │ 19.8 to 22.9 % │  -5.0 % │ saves                 │ 60.0M │    9.1M │ 900.0k │ 85.7 % │      40 │      3 │         1 │
      │ elide:recent_turns=4 │ $122.17 │  -3.1 % │ -5.0 to -1.2 % │ -12.0 % │ costs more            │ 90.0M │    8.8M │   1.2M │ 90.0 % │       4 │     40 │         0 │
      │ bi                   │ $118.50 │   0.0 % │   0.0 to 0.0 % │   0.0 % │ never fired (0 of 44) │ 90.0M │    8.8M │   1.2M │ 90.0 % │       0 │      0 │        44 │
      └──────────────────────┴─────────┴─────────┴────────────────┴─────────┴───────────────────────┴───────┴─────────┴────────┴────────┴─────────┴────────┴───────────┘

      What this does not model, and what it assumes:
      - recorded replies are replayed: a model that sees less may answer otherwise

      ctxsim 0.1.0 · prices genai-prices@0.1.8+ctxsim@2026-11-30 · inputs abc123 · seed 1
      "
    `);
  });

  it('drops columns in a fixed order until it fits', () => {
    const heads = (width?: number) => {
      const text = render('table', sampleResult(), { width });
      const border = text.split('\n').find((line) => line.startsWith('┌')) ?? '';
      const head = text.split('\n').find((line) => line.startsWith('│')) ?? '';
      const titles = head.split('│').map((title) => title.trim());
      return { width: border.length, titles: titles.filter((title) => title !== '').join(' ') };
    };
    const all = 'policy cost saving 95 % interval harness verdict read written fresh hits cheaper dearer not fired';
    expect(heads(undefined).titles).toBe(all);
    expect(heads(200).titles).toBe(all);
    expect(heads(150).titles).toBe('policy cost saving 95 % interval harness verdict hits cheaper dearer not fired');
    expect(heads(99).titles).toBe('policy cost saving 95 % interval harness verdict');
    expect(heads(79).titles).toBe('policy cost saving verdict');
    for (const width of [200, 150, 99, 79]) expect(heads(width).width).toBeLessThanOrEqual(width);
    // Nothing that decides is dropped, however narrow it is.
    expect(heads(20).titles).toBe('policy cost saving verdict');
  });

  it('colours saving and verdict only, and only when asked', () => {
    const coloured = render('table', sampleResult(), { color: true });
    expect(stripVTControlCharacters(coloured)).toBe(render('table'));
    expect(coloured.split('\u001b[32m').length - 1).toBe(2);
    expect(coloured.split('\u001b[31m').length - 1).toBe(2);
    expect(coloured).toContain('\u001b[32msaves\u001b[39m');
  });

  it('shows unknown as a dash, few as few, and the sessions that could not be sent', () => {
    const rows = [
      sampleRow('full', { isBaseline: true }),
      sampleRow('heph', {
        saving: 0.1,
        few: true,
        verdict: 'saves',
        usage: { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 },
        sessions: { cheaper: 2, equal: 0, dearer: 0, neverFired: 0, unsendable: 1, notApplicable: 0, unpriced: 0 },
      }),
      sampleRow('bi', {
        verdict: 'unsendable',
        sessions: { cheaper: 0, equal: 0, dearer: 0, neverFired: 0, unsendable: 3, notApplicable: 0, unpriced: 0 },
      }),
    ];
    const text = render('table', sampleResult({ rows }));
    expect(text).toContain('unsendable');
    expect(text).not.toContain('harness');
    expect(text).not.toContain('interval │');
    expect(lineOf(text, 'heph')).toMatch(/\+10\.0 % │ saves \(few\) .*│ +- │ +2 │ +0 │ +0 │ +1 │/);
    expect(lineOf(text, 'bi')).toMatch(/│ +- │ unsendable /);
  });

  it('has a column for the model where rows mix models', () => {
    const rows = [sampleRow('full'), sampleRow('full2', { model: 'gpt-5.5' })];
    expect(lineOf(render('table', sampleResult({ rows })), 'policy')).toContain('model');
    expect(lineOf(render('table'), 'policy')).not.toContain('model');
  });

  it('counts findings beside the notes', () => {
    const findings = [{ kind: 'torn line', detail: '', count: 3, first: 'a.jsonl:7' }];
    expect(render('table', sampleResult({ findings }))).toContain('- findings in the inputs: torn line 3\n');
  });
});

describe('md', () => {
  it('is a table that GitHub reads', () => {
    expect(render('md')).toMatchInlineSnapshot(`
      "**Best of 3: elide (recent_turns=0) saves 21.3 % (19.8 to 22.9 %) over 44 sessions.**

      - model claude-opus-4-6 · cache anthropic · markers anchor, claude-code (saving: anchor, where the policy needs them; harness: as recorded) · TTL recorded, else 5m · prices each session's date
      - tokens: recorded usage · 2.1 % of the prompt estimated
      - 44 sessions · 612 turns · 5,034 requests · 100.0M prompt tokens · largest session 12.3 % of the spend, largest five 40.1 % (in effect 20.5 sessions)
      - spend of full: system 12.0 %, prompts 3.0 %, replies 15.0 %, results of the current turn 20.0 %, of earlier turns 40.0 %, output 10.0 %

      | policy | cost | saving | 95 % interval | harness | verdict | read | written | fresh | hits | cheaper | dearer | not fired |
      | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | full | $118.50 | - | - | - | baseline | 90.0M | 8.8M | 1.2M | 90.0 % | - | - | - |
      | elide:recent_turns=0 | $93.26 | +21.3 % | 19.8 to 22.9 % | -5.0 % | saves | 60.0M | 9.1M | 900.0k | 85.7 % | 40 | 3 | 1 |
      | elide:recent_turns=4 | $122.17 | -3.1 % | -5.0 to -1.2 % | -12.0 % | costs more | 90.0M | 8.8M | 1.2M | 90.0 % | 4 | 40 | 0 |
      | bi | $118.50 | 0.0 % | 0.0 to 0.0 % | 0.0 % | never fired (0 of 44) | 90.0M | 8.8M | 1.2M | 90.0 % | 0 | 0 | 44 |

      - recorded replies are replayed: a model that sees less may answer otherwise

      ctxsim 0.1.0 · prices genai-prices@0.1.8+ctxsim@2026-11-30 · inputs abc123 · seed 1
      "
    `);
  });

  it('lets no cell end its cell or start markup', () => {
    const rows = [sampleRow('a|b\nc', { model: '<synthetic>' }), sampleRow('*x* [y](z)')];
    const text = render('md', sampleResult({ rows }));
    expect(text).toContain('| a\\|b c | &lt;synthetic&gt; |');
    expect(text).toContain('| \\*x\\* \\[y\\](z) |');
  });
});

describe('csv', () => {
  it('has units in its header and numbers unrounded', () => {
    expect(render('csv')).toMatchInlineSnapshot(`
      "label,policy,params,model,cache,breakpoints,baseline,cost_usd,cost_fresh_usd,cost_read_usd,cost_write_usd,cost_output_usd,cost_summarizer_usd,saving_fraction,saving_low_fraction,saving_high_fraction,saving_recorded_markers_fraction,verdict,few,fresh_tokens,read_tokens,write_5m_tokens,write_1h_tokens,output_tokens,hit_fraction,cheaper_sessions,equal_sessions,dearer_sessions,never_fired_sessions,unsendable_sessions,calls,malformed_calls,failed_calls,oversized_calls,canceled_calls,stale_calls,not_applicable_sessions,saving_recorded_markers_low_fraction,saving_recorded_markers_high_fraction,effective_sessions,sign_test_p,service_tier,region,unpriced_tokens,unpriced_sessions,cost_storage_usd,regret_fraction,elided_results,results_at_risk,refetch_once_usd,refetch_break_even_times
      full,full,,claude-opus-4-6,anthropic,anchor,yes,118.5,6,45,57.5,10,0,,,,,never fired,no,1200000,90000000,8000000,800000,400000,0.9,0,44,0,0,0,0,0,0,0,0,0,0,,,,,standard,global,0,0,0,,,,,
      elide:recent_turns=0,elide,recent_turns=0,claude-opus-4-6,anthropic,anchor,no,93.2595,4.5,30,48.7595,10,0,0.213,0.198,0.229,-0.05,saves,no,900000,60000000,9000000,100000,400000,0.8571428571428571,40,1,3,1,0,0,0,0,0,0,0,0,,,,,standard,global,0,0,0,,,,,
      elide:recent_turns=4,elide,recent_turns=4,claude-opus-4-6,anthropic,anchor,no,122.1735,6,45,61.1735,10,0,-0.031,-0.05,-0.012,-0.12,costs more,no,1200000,90000000,8000000,800000,400000,0.9,4,0,40,0,0,0,0,0,0,0,0,0,,,,,standard,global,0,0,0,,,,,
      bi,bi,,claude-opus-4-6,anthropic,anchor,no,118.5,6,45,57.5,10,0,0,0,0,0,never fired,no,1200000,90000000,8000000,800000,400000,0.9,0,44,0,44,0,0,0,0,0,0,0,0,,,,,standard,global,0,0,0,,,,,
      "
    `);
  });

  it('disarms formulas in text and leaves negative numbers alone', () => {
    const rows = [
      sampleRow('=HYPERLINK("http://x")', { model: '@cmd', policy: '+1', saving: -0.5, params: { key: '-2' } }),
    ];
    const cells = (render('csv', sampleResult({ rows })).split('\n')[1] ?? '').replaceAll('""', '"');
    expect(cells).toContain('"\'=HYPERLINK("http://x")"');
    expect(cells).toContain(",'+1,");
    expect(cells).toContain(",'@cmd,");
    expect(cells).toContain(',-0.5,');
  });
});

describe('json', () => {
  it('is the result itself', () => {
    const text = render('json');
    expect(resultSchema.parse(JSON.parse(text))).toEqual(sampleResult());
    expect(text.startsWith('{\n  "schema": "ctxsim.result/1"')).toBe(true);
    expect(text).toContain('"total": 93.2595');
  });
});

function lineOf(text: string, start: string): string {
  return text.split('\n').find((line) => line.startsWith(`│ ${start}`)) ?? '';
}
