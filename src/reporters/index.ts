import { createRegistry } from '../registry.ts';
import { benchmarkJson } from './benchmark-json.ts';
import { csv } from './csv.ts';
import { github } from './github.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { table } from './table.ts';

export type { RenderOptions, Reporter } from './reporter.ts';

/** Every output format. A new one is one file, its import and its entry here. */
export const reporters = createRegistry('output format', [
  table,
  json,
  csv,
  markdown,
  html,
  junit,
  github,
  benchmarkJson,
]);
