import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { html, type Markup, trusted, whole } from './markup.ts';

/** A drawing, what it shows in words, and the same as a table. */
export interface Chart {
  /** Unique in the page; a name of ours. */
  readonly id: string;
  readonly title: string;
  /** What a reader who does not see it should know. */
  readonly description: string;
  /** What stands above the drawing for every reader. */
  readonly words?: string | undefined;
  /** Drawn once for a wide page and once for a phone. */
  readonly draw: (width: number, isNarrow: boolean) => Plot.PlotOptions;
  readonly legend?: readonly LegendEntry[];
  readonly table: Markup;
  readonly isTableOpen?: boolean;
}

/** What a colour stands for. */
export interface LegendEntry {
  readonly name: string;
  /** A colour of the style sheet, `read` for `--read`. */
  readonly color: string;
  /** A tick in place of a swatch. */
  readonly isTick?: boolean;
}

/** Widths in pixels that fit the page, and the smallest phones in use. */
const wide = 860;
const narrow = 320;

/** A chart with its title, legend and table. */
export function figure({
  id,
  title,
  description,
  words,
  draw,
  legend = [],
  table,
  isTableOpen = false,
}: Chart): Markup {
  const svg = (width: number, isNarrow: boolean) =>
    drawing(`${id}-${isNarrow ? 'narrow' : 'wide'}`, title, description, {
      ...draw(width, isNarrow),
      width,
      className: isNarrow ? 'narrow' : 'wide',
    });
  return html`<figure id="${id}">
<figcaption>${title}</figcaption>
${words === undefined ? '' : html`<p>${words}</p>`}
${legend.length > 0 ? legendOf(legend) : ''}
${svg(wide, false)}
${svg(narrow, true)}
${asTable(table, isTableOpen)}
</figure>
`;
}

/** A drawing that is as wide as its place allows, up to its own width. */
export function drawing(id: string, title: string, description: string, options: Plot.PlotOptions): Markup {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const svg: Drawn = Plot.plot({ ...options, document, style: { fontSize: '12px' } });
  return html`<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-desc"${attributesOf(svg)}><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${childrenOf(svg)}</svg>`;
}

/** A table behind a line to open it; `of` says of what, where several stand together. */
export function asTable(table: Markup, isOpen = false, of = ''): Markup {
  return html`<details${trusted(isOpen ? ' open' : '')}><summary>The same as a table${of === '' ? '' : `: ${of}`}</summary>${table}</details>`;
}

export function legendOf(entries: readonly LegendEntry[]): Markup {
  return html`<ul class="legend">${entries.map(
    ({ name, color, isTick }) =>
      html`<li><span class="${isTick ? 'tick' : 'swatch'}" style="background:var(--${color})"></span>${name}</li>`,
  )}</ul>`;
}

/** `Node.ELEMENT_NODE` (DOM, "node types"). */
const elementNode = 1;

/** What is read of a drawing; the DOM's own types are not among those of Node. */
interface Drawn {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string | null;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
  readonly childNodes: Iterable<Drawn>;
}

/**
 * A drawing is written out here, not by the DOM that it was drawn in: that one writes the text of a `title` as it is, which may
 * be the name of a session.
 */
function markupOf(node: Drawn): Markup {
  // Its own style sheet stands in that of the page, once.
  if (node.localName === 'style') return html``;
  if (node.nodeType !== elementNode) return html`${node.textContent ?? ''}`;
  const name = trusted(node.localName);
  return html`<${name}${attributesOf(node)}>${childrenOf(node)}</${name}>`;
}

function childrenOf(node: Drawn): Markup[] {
  return [...node.childNodes].map(markupOf);
}

/** Numbers to a hundredth of a pixel; what names a group of marks says nothing inside an image. */
function attributesOf({ attributes = [] }: Drawn): Markup[] {
  return [...attributes]
    .filter(({ name }) => !name.startsWith('aria-'))
    .map(({ name, value }) => html` ${trusted(name)}="${whole(rounded(value))}"`);
}

function rounded(value: string): string {
  return value.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))));
}
