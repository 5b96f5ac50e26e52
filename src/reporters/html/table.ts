import { breakable, html, type Markup } from './markup.ts';

/** A table for a page: its first column names the rows, `left` ones are words, the others numbers. */
export interface PageTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly left?: readonly number[];
  /** Rows that stand out, by position. */
  readonly strong?: ReadonlySet<number>;
}

/** A table that scrolls in itself where it is wider than the page. */
export function tableOf({ caption, head, rows, left = [], strong = new Set() }: PageTable): Markup {
  const kind = (column: number) => (column === 0 || left.includes(column) ? 'words' : 'number');
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head.map((title, column) => html`<th scope="col" class="${kind(column)}">${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells, at) =>
    html`<tr${strong.has(at) ? html` class="strong"` : ''}>${cells.map((cell, column) =>
      column === 0
        ? html`<th scope="row" class="words">${breakable(cell)}</th>`
        : html`<td class="${kind(column)}">${cell}</td>`,
    )}</tr>
`,
)}</tbody></table></div>`;
}
