import { formatSignedPercent } from '../../units.ts';
import type { SavingsGrid } from '../grid.ts';
import { breakable, html, type Markup } from './markup.ts';

/** Savings are shaded in steps, each a share of the largest. */
const steps = 4;

/** A table of savings, shaded by how much they gain or lose. */
export function heatTable(caption: string, { head, rows }: SavingsGrid): Markup {
  const most = largest(rows.flatMap(({ savings }) => savings));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="heat">
<caption>${caption}</caption>
<thead><tr>${head.map((title, at) => html`<th scope="col" class="${at === 0 ? 'words' : 'number'}">${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ name, savings }) =>
    html`<tr><th scope="row" class="words">${breakable(name)}</th>${savings.map(
      (saving) => html`<td class="number ${shadeOf(saving, most)}">${formatSignedPercent(saving)}</td>`,
    )}</tr>
`,
)}</tbody></table></div>`;
}

/** The largest saving or loss. */
export function largest(savings: readonly (number | null)[]): number {
  return Math.max(0, ...savings.map((saving) => Math.abs(saving ?? 0)));
}

/** From −4 (the largest loss) to 4 (the largest saving); 0 where nothing is saved or known. */
export function stepOf(saving: number | null, most: number): number {
  if (saving === null || saving === 0 || most === 0) return 0;
  return Math.sign(saving) * Math.max(1, Math.ceil((Math.abs(saving) / most) * steps));
}

function shadeOf(saving: number | null, most: number): string {
  const step = stepOf(saving, most);
  return step === 0 ? '' : `${step > 0 ? 'gain' : 'loss'}-${Math.abs(step)}`;
}
