import { type CountedRow, classKeys } from '../analysis/index.ts';
import { CtxsimError } from '../errors.ts';
import type { Rates } from '../providers/provider.ts';
import { unknownName } from '../registry.ts';
import { usageClasses } from '../session/index.ts';

const names = usageClasses.map((name) => classKeys[name]);

/**
 * Reads `--price`: US dollars per million tokens as `fresh,read,write5m,write1h,output`, a place left empty where the rows
 * have no such tokens, or as `fresh=0.75,output=4.5`.
 */
export function parsePrices(text: string, rows: readonly CountedRow[]): Rates {
  const given = text.includes('=') ? namedPrices(text) : placedPrices(text);
  const rates = usageClasses.map((name) => {
    const price = given.get(classKeys[name]);
    if (price === undefined && rows.some(({ tokens }) => tokens[name] > 0)) {
      throw badPrice(text, `the table has ${classKeys[name]} tokens and they have no price`);
    }
    return [name, price ?? 0];
  });
  return Object.fromEntries(rates) as Rates;
}

function placedPrices(text: string): Map<string, number> {
  const cells = text.split(',');
  if (cells.length !== names.length) throw badPrice(text, `it has ${cells.length} places, not ${names.length}`);
  return new Map(cells.flatMap((cell, at) => (cell.trim() === '' ? [] : [[names[at] as string, priceOf(cell, text)]])));
}

function namedPrices(text: string): Map<string, number> {
  return new Map(
    text.split(',').map((part) => {
      const [name = '', cell = ''] = part.split('=');
      if (!names.some((known) => known === name.trim())) throw unknownName('price', name.trim(), names);
      return [name.trim(), priceOf(cell, text)];
    }),
  );
}

function priceOf(cell: string, text: string): number {
  const price = cell.trim() === '' ? Number.NaN : Number(cell);
  if (Number.isFinite(price) && price >= 0) return price;
  throw badPrice(text, `"${cell}" is no price`);
}

function badPrice(text: string, fault: string): CtxsimError {
  return new CtxsimError(
    'bad-price',
    `--price ${text}: ${fault}`,
    `Write ${names.join(',')} in US dollars per million tokens, for example 3,0.3,3.75,6,15.`,
  );
}
