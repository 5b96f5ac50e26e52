import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxsimError } from '../errors.ts';
import { loadPriceBook } from '../providers/index.ts';
import type { PriceBook } from '../providers/provider.ts';
import type { Io } from './io.ts';

/** Options of every command that prices something. */
export interface PriceFlags {
  readonly prices?: string;
  readonly asOf?: string;
  readonly allowUnpriced?: boolean;
}

/**
 * The shipped prices, with those of `--prices` before them.
 * @throws CtxsimError if the file cannot be read or holds anything but prices.
 */
export function openPriceBook(io: Io, { prices, asOf, allowUnpriced }: PriceFlags): Promise<PriceBook> {
  return loadPriceBook({
    overrides: prices === undefined ? undefined : { file: prices, content: readPrices(io, prices) },
    asOf,
    allowUnpriced,
  });
}

function readPrices(io: Io, file: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(io.cwd(), file), 'utf8'));
  } catch (error) {
    throw new CtxsimError(
      'bad-price-file',
      `--prices ${file}: ${(error as Error).message}`,
      'It must be a JSON file; see the README for its form.',
    );
  }
}
