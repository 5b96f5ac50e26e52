import type { Reporter } from './reporter.ts';

/** One page for a browser, with charts; nothing in it runs, and nothing is fetched. */
export const html: Reporter = {
  name: 'html',
  title: 'A page with charts, in one file, without scripts',
  extensions: ['.html', '.htm'],
  showsDetail: true,
  async render(result) {
    // What draws the charts takes a tenth of a second to load (ecosystem.md §4): only who asks for a page waits for it.
    const { page } = await import('./html/page.ts');
    return page(result);
  },
};
