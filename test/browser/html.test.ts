import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../src/reporters/html.ts';
import type { Result } from '../../src/results/result.ts';
import { fullResult, hostileName } from '../reporters/full-result.ts';
import { sampleResult } from '../reporters/sample.ts';
import { tempFolder } from '../temp.ts';
import { findChromium } from './chromium.ts';
import { lowContrasts } from './contrast.mjs';

const executablePath = findChromium();

it.runIf(process.env.CI && !process.env.CTXSIM_WITHOUT_BROWSER)(
  'finds a browser where everything must be tested',
  () => {
    expect(executablePath, 'no Chromium on the path; on Debian: apt-get install chromium').toBeDefined();
  },
);

describe.skipIf(!executablePath)(
  'a page in Chromium (skipped where none is on the path: apt-get install chromium)',
  () => {
    const folder = tempFolder();
    let browser: Browser;
    /** What no page may do: say something on the console, open a dialog, ask for anything but itself. */
    const faults: string[] = [];

    beforeAll(async () => {
      const isRoot = process.getuid?.() === 0;
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: isRoot ? ['--no-sandbox'] : [] });
    });
    afterAll(() => browser.close());

    async function opened(name: string, result: Result): Promise<Page> {
      const file = join(folder, `${name}.html`);
      writeFileSync(file, await html.render(result, { color: false }));
      const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
      faults.length = 0;
      page.on('console', (message) => faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('dialog', (dialog) => faults.push(dialog.message()));
      const { href } = pathToFileURL(file);
      page.on('request', (request) => {
        if (request.url() !== href) faults.push(request.url());
      });
      await page.goto(href);
      return page;
    }

    const looks = [
      { width: 1100, height: 800, scheme: 'light' },
      { width: 1100, height: 800, scheme: 'dark' },
      { width: 375, height: 800, scheme: 'light' },
      { width: 320, height: 800, scheme: 'dark' },
    ] as const;

    it.each([
      ['everything', fullResult('full')],
      ['little', sampleResult()],
    ])(
      'can be read wide and narrow, light and dark, where it shows %s: nothing sticks out, nothing is too pale',
      async (name, result) => {
        const page = await opened(name, result);
        await page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
        for (const { scheme, ...size } of looks) {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme: scheme });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
          const { texts, marks, low } = await page.evaluate(lowContrasts);
          expect(Math.min(texts, marks)).toBeGreaterThan(5);
          expect(low, `${size.width} ${scheme}`).toEqual([]);
        }
        expect(await page.locator('#savings svg:visible').getAttribute('class')).toBe('narrow');
        await page.setViewportSize({ width: 1100, height: 800 });
        expect(await page.locator('#savings svg:visible').getAttribute('class')).toBe('wide');
        expect(faults).toEqual([]);
        await page.close();
      },
    );

    it('is worked with the keyboard: every table in its order, opened with a key', async () => {
      const page = await opened('keys', fullResult('full'));
      const expected = await page.locator('summary:visible, .scroll:visible').count();
      const order: number[] = [];
      for (let at = 0; at < expected; at += 1) {
        await page.keyboard.press('Tab');
        order.push(
          await page.evaluate(
            "document.activeElement.matches('summary, .scroll') ? document.activeElement.getBoundingClientRect().top + scrollY : -1",
          ),
        );
      }
      expect(order.every((top) => top >= 0)).toBe(true);
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(new Set(order).size).toBe(expected);
      const closed = page.locator('#money details');
      await closed.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect(await closed.getAttribute('open')).not.toBeNull();
      expect(await closed.locator('table').isVisible()).toBe(true);
      await page.close();
    });

    it('shows hostile names as text: nothing runs, nothing is fetched', async () => {
      const page = await opened('hostile', fullResult(hostileName));
      expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
      expect(await page.locator('h1').textContent()).toContain('<script>alert(1)</script>');
      expect(faults).toEqual([]);
      await page.close();
    });

    it('prints light, with the tables that are folded on the screen left out', async () => {
      const page = await opened('print', fullResult('full'));
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
      expect(await page.locator('#money summary').isVisible()).toBe(false);
      expect((await page.evaluate(lowContrasts)).low).toEqual([]);
      await page.close();
    });
  },
);
