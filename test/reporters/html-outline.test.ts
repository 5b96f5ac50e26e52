import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { html } from '../../src/reporters/html.ts';
import type { Result } from '../../src/results/result.ts';
import { fullAdvice, fullResult } from './full-result.ts';
import { sampleResult } from './sample.ts';

/** What a page says, element by element, without the looks and the lines of its drawings. */
const said = [
  'h1, h2, header p, dt, dd, figcaption, section p, pre, li, summary, caption, thead tr, tbody tr, footer p, svg > title',
  'svg > desc',
].join(', ');

async function outlineOf(result: Result): Promise<string> {
  const { document } = parseHTML(String(await html.render(result, { color: false })));
  const lines = [...document.querySelectorAll(said)].map((element) => {
    const { localName } = element;
    const texts =
      localName === 'tr' ? [...element.children].map(({ textContent }) => textContent) : [element.textContent];
    const text = texts.join(' | ').replaceAll('\u00A0', ' ').replaceAll('\n', ' ');
    return `${localName}: ${text}`;
  });
  return `${lines.join('\n')}\n`;
}

it.each([
  ['replay', fullResult('full')],
  ['advice', fullAdvice('full')],
  ['little', sampleResult()],
])('says all that it has to say: %s', async (name, result) => {
  await expect(await outlineOf(result)).toMatchFileSnapshot(`outlines/${name}.txt`);
});
