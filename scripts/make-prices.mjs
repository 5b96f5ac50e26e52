// Writes every price that the code yields to reports/prices.json: its diff is what a change of prices is reviewed by. Needs dist/.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadPriceBook } from '../dist/index.js';
import { priceSnapshot } from '../dist/providers/prices/snapshot.js';

const { cards, services, ...sources } = priceSnapshot(await loadPriceBook());
const parts = [...lines(sources), `"cards": ${object(cards)}`, `"services": ${object(services)}`];
writeFileSync(fileURLToPath(new URL('../reports/prices.json', import.meta.url)), `{\n${parts.join(',\n')}\n}\n`);

/** One line per entry, so that a diff shows which model changed and nothing else. */
function lines(entries) {
  return Object.entries(entries).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
}

function object(entries) {
  return `{\n${lines(entries).join(',\n')}\n}`;
}
