import type { Result, ResultRow } from '../../results/result.ts';
import { formatSignedPercent } from '../../units.ts';
import { mappedRow } from '../break-even.ts';
import { html, type Markup } from './markup.ts';

/** Savings are shaded in steps, each a share of the largest in the map. */
const steps = 4;

/** Savings over the prices of reads and writes, of the row that the answer names; nothing where they were not asked for. */
export function priceMap({ breakEven }: Result, best: ResultRow | undefined): Markup {
  if (!breakEven || breakEven.length === 0) return html``;
  const { label, map, readRatio, writeRatio } =
    breakEven.find((each) => each.label === best?.label) ?? mappedRow(breakEven);
  const most = Math.max(...map.savings.flat().map((saving) => Math.abs(saving ?? 0)));
  const now = [readRatio.now, writeRatio.now].map((ratio) => (ratio === null ? '-' : ratio.toFixed(3)));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Saving by prices"><table class="heat">
<caption>Saving of ${label} by the price of a read (down) and of a five-minute write (across), relative to fresh input. Now: read ${now[0] ?? ''}, write ${now[1] ?? ''}.</caption>
<thead><tr><th scope="col">read</th>${map.writeRatios.map((ratio) => html`<th scope="col" class="number">write ${ratio}</th>`)}</tr></thead>
<tbody>${map.readRatios.map(
    (ratio, at) =>
      html`<tr><th scope="row">${ratio}</th>${(map.savings[at] ?? []).map(
        (saving) => html`<td class="number ${shade(saving, most)}">${formatSignedPercent(saving)}</td>`,
      )}</tr>
`,
  )}</tbody></table></div>
`;
}

function shade(saving: number | null, most: number): string {
  if (saving === null || saving === 0 || most === 0) return '';
  return `${saving > 0 ? 'gain' : 'loss'}-${Math.max(1, Math.ceil((Math.abs(saving) / most) * steps))}`;
}
