import { type OverlayRow, tier } from './overlay-row.ts';

/** Longest prompt (tokens), and what its input and output cost, US dollars per million tokens. */
type ListedTier = readonly [upTo: number, input: number, output: number];

/** Model Studio, international list prices; the whole request is billed at the tier of its input. */
const listed: readonly { readonly model: string; readonly source: string; readonly tiers: readonly ListedTier[] }[] = [
  { model: 'qwen3.7-max', source: 'theopenco/llmgateway PR 2891, 2026-07-03', tiers: [[1e6, 2.5, 7.5]] },
  {
    model: 'qwen3.7-plus',
    source: 'models.dev, alibaba',
    tiers: [
      [256_000, 0.4, 1.6],
      [1e6, 1.2, 4.8],
    ],
  },
  {
    model: 'qwen3.6-plus',
    source: 'models.dev, alibaba',
    tiers: [
      [256_000, 0.5, 3],
      [1e6, 2, 6],
    ],
  },
  {
    model: 'qwen3.5-plus',
    source: 'models.dev, alibaba',
    tiers: [
      [256_000, 0.4, 2.4],
      [1e6, 0.5, 3],
    ],
  },
  {
    model: 'qwen3-max',
    source: 'models.dev, alibaba',
    tiers: [
      [32_000, 1.2, 6],
      [128_000, 2.4, 12],
      [256_000, 3, 15],
    ],
  },
  {
    model: 'qwen3-coder-plus',
    source: 'models.dev, alibaba',
    tiers: [
      [32_000, 1, 5],
      [128_000, 1.8, 9],
      [256_000, 3, 15],
      [1e6, 6, 60],
    ],
  },
  {
    model: 'qwen3-coder-flash',
    source: 'models.dev, alibaba',
    tiers: [
      [32_000, 0.3, 1.5],
      [128_000, 0.5, 2.5],
      [256_000, 0.8, 4],
      [1e6, 1.6, 9.6],
    ],
  },
];

/** Before Qwen4 the implicit cache reads at a fifth of the input (Model Studio help, context cache, 2026-03-31). */
const implicitRead = 0.2;
/** The explicit one writes at 1.25 times the input (the same page). */
const explicitWrite = 1.25;
/** Rates are rounded to so many decimals of a dollar, so that products leave no noise. */
const decimals = 1e6;

const remark = 'cached at the implicit rate; the explicit cache reads at a tenth of the input, which --prices can give';

/** Alibaba's Qwen: rates of the implicit cache, which is the one that works by itself. */
export const qwenRows: readonly OverlayRow[] = [
  {
    model: 'qwen4-max',
    provider: 'qwen',
    from: '2026-11-16',
    tiers: [tier(0, 1.5, 0.075, 1.875, 1.875, 4.5)],
    chargesWrites: true,
    source: 'docs.apiyi.com qwen4-max launch; vercel.com/ai-gateway/models/qwen4-max (input, output)',
    remark: 'its cached rate is taken as that of the implicit cache',
    asOf: '2026-11-22',
  },
  ...listed.map(({ model, source, tiers }) => ({
    model,
    provider: 'qwen',
    tiers: tiers.map(([, input, output], index) => {
      const write = times(input, explicitWrite);
      return tier(tiers[index - 1]?.[0] ?? 0, input, times(input, implicitRead), write, write, output);
    }),
    chargesWrites: true,
    source,
    remark,
    asOf: '2026-08-26',
  })),
];

function times(rate: number, factor: number): number {
  return Math.round(rate * factor * decimals) / decimals;
}
