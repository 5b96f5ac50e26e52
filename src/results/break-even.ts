import { z } from 'zod';

const ratio = z.strictObject({
  /** Price relative to fresh input, as billed on average; null where nothing of the kind was billed. */
  now: z.number().nullable(),
  /** Where the two rows cost the same, all else equal; null where no price from zero on does that. */
  even: z.number().nullable(),
});

/** Where a row and the baseline change places. */
export const breakEvenSchema = z.strictObject({
  label: z.string(),
  readRatio: ratio,
  /** Of five-minute writes; other writes keep their distance to those. */
  writeRatio: ratio,
  /** Requests that would have to follow in every session, each reading all that stood at its end; null where none help. */
  furtherRequests: z.number().nullable(),
  /** How often each result at risk may be read again; null where that changes nothing. */
  refetchTimes: z.number().nullable(),
  /** Savings if cache entries lived so many times as long as they do. */
  lifetimes: z.array(z.strictObject({ multiple: z.number(), saving: z.number() })),
  /** Multiples of the lifetime between which the two change places. */
  lifetimeEven: z.array(z.tuple([z.number(), z.number()])),
  /** Savings by the price of a read (down) and of a write (across), relative to fresh input. */
  map: z.strictObject({
    readRatios: z.array(z.number()),
    writeRatios: z.array(z.number()),
    savings: z.array(z.array(z.number().nullable())),
  }),
});

export type BreakEven = z.infer<typeof breakEvenSchema>;
