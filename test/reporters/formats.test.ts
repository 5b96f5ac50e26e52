import { describe, expect, it } from 'vitest';
import { commentText } from '../../src/reporters/comment.ts';
import { reporters } from '../../src/reporters/index.ts';
import { sampleResult, sampleRow } from './sample.ts';

const render = (name: string, result = sampleResult()) =>
  reporters.get(name).render(result, { color: false }) as string;

describe('junit', () => {
  it('has a case per row; what could not be compared is skipped; the counts are those of the cases', () => {
    const rows = [
      sampleRow('full', { isBaseline: true }),
      sampleRow('bi', {
        verdict: 'unsendable',
        sessions: { cheaper: 0, equal: 0, dearer: 0, neverFired: 0, unsendable: 3, notApplicable: 0, unpriced: 0 },
      }),
    ];
    expect(render('junit', sampleResult({ rows }))).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="ctxsim replay" tests="2" failures="0" errors="0" skipped="1">
        <testsuite name="ctxsim replay" tests="2" failures="0" errors="0" skipped="1">
          <testcase name="full" classname="ctxsim.replay">
            <system-out>cost $118.50, saving -: baseline</system-out>
          </testcase>
          <testcase name="bi" classname="ctxsim.replay">
            <skipped message="unsendable"/>
            <system-out>cost -, saving -: unsendable</system-out>
          </testcase>
        </testsuite>
      </testsuites>
      "
    `);
  });

  it('escapes what XML would read, and drops what it cannot hold', () => {
    const text = render('junit', sampleResult({ rows: [sampleRow('a<b>&"c"\u0000\u001b\ud800\uffff]]>')] }));
    expect(text).toContain('name="a&lt;b&gt;&amp;&quot;c&quot;  \ufffd]]&gt;"');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be there.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
  });
});

describe('github', () => {
  it('begins with the marker of its name', () => {
    expect(render('github').split('\n')[0]).toBe('<!-- ctxsim:replay -->');
    const named = reporters.get('github').render(sampleResult(), { color: false, name: 'my --> job' }) as string;
    expect(named.split('\n')[0]).toBe('<!-- ctxsim:my-job -->');
  });

  it('folds rows and sessions away, and closes every fold', () => {
    const rows = Array.from({ length: 14 }, (_, index) => sampleRow(`elide:recent_turns=${index}`));
    const text = render('github', sampleResult({ rows }));
    expect(text).toContain('<details><summary>2 more rows</summary>\n\n| policy |');
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });

  it('stays below the limit, whatever is in the result, and says how many lines were cut', () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => sampleRow(`${'<'.repeat(40)}${index}`));
    const text = render('github', sampleResult({ rows }));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/\n_2,\d{3} more lines were cut; the JSON has all._\n$/);
    expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
  });

  it('keeps the first lines of each section that has room', () => {
    const lines = ['one', 'two', 'three'];
    const text = commentText('x', [{ lines }, { summary: 'fold', head: ['head'], lines }], 260);
    expect(text).toBe('<!-- ctxsim:x -->\n\none\ntwo\nthree\n\n_3 more lines were cut; the JSON has all._\n');
  });
});

describe('benchmark-json', () => {
  it('has name, unit, value and extra for each row that has a bill', () => {
    const none = { cheaper: 0, equal: 0, dearer: 0, neverFired: 0, unsendable: 3, notApplicable: 0, unpriced: 0 };
    const rows = [...sampleResult().rows.slice(0, 2), sampleRow('bi', { verdict: 'unsendable', sessions: none })];
    expect(JSON.parse(render('benchmark-json', sampleResult({ rows })))).toEqual([
      { name: 'full', unit: 'USD', value: 118.5, extra: 'saving -, baseline' },
      { name: 'elide:recent_turns=0', unit: 'USD', value: 93.2595, extra: 'saving +21.3 %, saves' },
    ]);
  });
});
