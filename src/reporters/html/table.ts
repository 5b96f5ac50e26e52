import type { Table } from '../../text/index.ts';
import { breakable, html, type Markup } from './markup.ts';

/** A table for a page. */
export interface PageTable extends Table {
  readonly caption: string;
  /** Rows that stand out, by position. */
  readonly strong?: ReadonlySet<number>;
}

/** A table that scrolls in itself where it is wider than the page; its first column names the rows. */
export function pageTable({ caption, columns, rows, strong = new Set() }: PageTable): Markup {
  const kind = (at: number) => (at === 0 || columns[at]?.align === 'left' ? 'words' : 'number');
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map(({ title }, at) => html`<th scope="col" class="${kind(at)}">${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells, row) =>
    html`<tr${strong.has(row) ? html` class="strong"` : ''}>${cells.map((cell, at) =>
      at === 0
        ? html`<th scope="row" class="words">${breakable(cell)}</th>`
        : html`<td class="${kind(at)}">${cell}</td>`,
    )}</tr>
`,
)}</tbody></table></div>`;
}
