import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxsimError } from '../errors.ts';
import { loadPriceBook, withService } from '../providers/index.ts';
import type { AskedService, PriceBook } from '../providers/provider.ts';
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

/** One service tier and one region. */
export interface ServiceFlags {
  readonly serviceTier: AskedService['tier'];
  readonly region: AskedService['region'];
}

/** The same prices, as they are at a service tier and in a region. */
export async function openServiceBook(io: Io, flags: PriceFlags & ServiceFlags): Promise<PriceBook> {
  return withService(await openPriceBook(io, flags), { tier: flags.serviceTier, region: flags.region });
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
