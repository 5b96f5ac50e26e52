import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MarkerCache } from '../../src/providers/cache/marker-cache.ts';
import { PrefixCache } from '../../src/providers/cache/prefix-cache.ts';
import { cacheModels, planners } from '../../src/providers/index.ts';
import { type Cache, ttlClasses, ttlMilliseconds } from '../../src/providers/provider.ts';
import {
  commonBlocks,
  promptStreams,
  type Sending,
  type Sent,
  type StreamRequest,
  sendStream,
  tokensOf,
} from './prompt-streams.ts';

// Every cache under every planner; models that differ in numbers only under one.
const cases = cacheModels.all.flatMap((cache) =>
  cache.examples.flatMap((model, index) => {
    const provider = cache.providers?.[0] ?? 'p';
    const chargesWrites = !['google', 'deepseek'].includes(provider);
    const rules = cache.rulesFor({ model, provider, chargesWrites });
    const names = rules.usesMarkers && index === 0 ? planners.names : ['anchor'];
    return names.map((planner) => ({ name: `${cache.name}, ${model}, ${planner}`, rules, chargesWrites, planner }));
  }),
);

describe.each(cases)('$name', ({ rules, chargesWrites, planner }) => {
  // A recording may ask for what is not sold: then the provider's own lifetime holds.
  const lifetimes = fc.constantFrom(...ttlClasses);
  const sendings = fc.record({
    planner: fc.constant(planner),
    ttls: fc.tuple(lifetimes, lifetimes),
    warm: fc.constantFrom(0, 2),
  });
  const holds = (check: (stream: readonly StreamRequest[], splits: readonly Sent[], sending: Sending) => void) =>
    fc.assert(
      fc.property(promptStreams, sendings, (stream, sending) =>
        check(stream, sendStream(rules.create(), stream, sending), sending),
      ),
      { numRuns: 50 },
    );

  test('read, written and fresh add up to the prompt, and no part is negative', () =>
    holds((stream, splits) => {
      splits.forEach((split, at) => {
        const { read, write5m, write1h, fresh } = split;
        const parts = [read, write5m, write1h, fresh];
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(tokensOf(stream[at]?.parts ?? []));
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      });
    }));

  test('reads only what a live request carried and paid for, or what other sessions keep warm', () =>
    holds((stream, splits, { warm, ttls }) => {
      const lifetime = Math.max(...ttls.map((ttl) => rules.lifetimes[ttl]));
      stream.forEach(({ parts, time }, at) => {
        let most = Math.max(tokensOf(parts, warm), splits[at]?.created ?? 0);
        for (const [earlier, request] of stream.slice(0, at).entries()) {
          // An entry lives from the last request that wrote or read it, and that request carried it.
          if ((time - request.time) * 1000 > lifetime) continue;
          const { read, write5m, write1h } = splits[earlier] as Sent;
          const common = tokensOf(parts, commonBlocks(parts, request.parts));
          // What stands behind the last marker is plain input, and leaves nothing.
          most = Math.max(most, rules.usesMarkers ? Math.min(common, read + write5m + write1h) : common);
        }
        expect(splits[at]?.read).toBeLessThanOrEqual(most);
      });
    }));

  test('never reads more than the ideal cache of the same lifetime', () =>
    holds((stream, splits, sending) => {
      const ideal = new PrefixCache({ minTokens: 0, stepTokens: 1, lifetimes: rules.lifetimes, chargesWrites });
      sendStream(ideal, stream, sending).forEach(({ read }, at) => {
        // What was created for the request has been sent and billed once more, as input.
        expect(splits[at]?.read).toBeLessThanOrEqual(Math.max(read, splits[at]?.created ?? 0));
      });
    }));
});

describe('a cache at markers, under anchor', () => {
  const cost = (splits: readonly Sent[], [read, write]: readonly [number, number]) =>
    splits.reduce((sum, split) => sum + split.read * read + (split.write5m + split.write1h) * write + split.fresh, 0);
  // Read and write as a share of plain input: providers.md §1.5, §2.
  const ratios = fc.constantFrom<[number, number]>([0.1, 1.25], [0.05, 1.25], [0.025, 1.25], [0.1, 2], [0.05, 2]);
  const cacheOf = (changes: Partial<ConstructorParameters<typeof MarkerCache>[0]>): Cache =>
    new MarkerCache({ minPrefixTokens: 1024, markers: 4, lookback: 20, lifetimes: ttlMilliseconds, ...changes });
  const neverDearer = (
    better: (input: { stream: StreamRequest[]; place: number }) => [Cache, Partial<Sending>],
    worse: (input: { stream: StreamRequest[]; place: number }) => [Cache, Partial<Sending>],
  ) =>
    fc.assert(
      fc.property(promptStreams, ratios, fc.double({ min: 0, max: 0.999, noNaN: true }), (stream, prices, place) => {
        const [more, less] = [better, worse].map((side) => {
          const [cache, sending] = side({ stream, place });
          return cost(
            sendStream(cache, stream, { planner: 'anchor', ttls: ['5m', '5m'], warm: 0, ...sending }),
            prices,
          );
        }) as [number, number];
        expect(more).toBeLessThanOrEqual(less + 1e-6);
      }),
      { numRuns: 150 },
    );

  test.each([
    [1, 2],
    [5, 20],
    [20, 50],
  ])('a look-back of %i positions costs no less than one of %i', (short, long) =>
    neverDearer(
      () => [cacheOf({ lookback: long }), {}],
      () => [cacheOf({ lookback: short }), {}],
    ),
  );

  test('a longer lifetime at the same price never costs more', () =>
    neverDearer(
      () => [cacheOf({ lifetimes: { ...ttlMilliseconds, '5m': 3_600_000 } }), {}],
      () => [cacheOf({}), {}],
    ));

  // Not so behind the last one: what was plain input is written then, at 1.25 instead of 1, and may never be read.
  test('one more marker before the last never costs more', () =>
    neverDearer(
      ({ place }) => [
        cacheOf({ markers: 5 }),
        {
          markers: (placed, length) => [...new Set([...placed, Math.floor(place * length)])].sort((a, b) => a - b),
        },
      ],
      () => [cacheOf({}), {}],
    ));
});
