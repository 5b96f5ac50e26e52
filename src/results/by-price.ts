import { z } from 'zod';

const usd = z.number();

/** A bill by what its price depends on, US dollars. */
const weightsSchema = z.strictObject({
  /** What depends on neither price: fresh input, output, storage. */
  rest: usd,
  /** What was read from the cache, if that cost as much as fresh input. */
  read: usd,
  /** What was written to it, if a five-minute write cost as much as fresh input; other writes keep their distance to those. */
  write: usd,
});

/**
 * Bills as functions of two prices: `rest + read × r + write × w` at a read price r and a five-minute write price w relative to
 * fresh input, for the requests as they were replayed.
 */
export const byPriceSchema = z.strictObject({
  /** Where the models that were billed lie today. */
  models: z.array(z.strictObject({ model: z.string(), read: z.number(), write: z.number() })),
  /** Each row but the baseline, over the sessions that both could send. */
  rows: z.array(z.strictObject({ label: z.string(), row: weightsSchema, baseline: weightsSchema })),
});

export type ByPrice = z.infer<typeof byPriceSchema>;
export type PriceWeights = z.infer<typeof weightsSchema>;

/** The bill at a price of reads and of five-minute writes, both relative to fresh input. */
export function billAt({ rest, read, write }: PriceWeights, readRatio: number, writeRatio: number): number {
  return rest + readRatio * read + writeRatio * write;
}
