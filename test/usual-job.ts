/** How the command line replays without flags: what a job needs beside its rows and prices. */
export const usualJob = {
  baseline: 0,
  ttl: 'recorded',
  outputReserve: 32_000,
  recordedEvents: true,
  expectLosses: false,
} as const;
