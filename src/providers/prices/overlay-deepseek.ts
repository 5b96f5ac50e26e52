import { type OverlayRow, plainTier } from './overlay-row.ts';
import type { PricedHours, RateTier } from './rates.ts';

const pricePage = 'api-docs.deepseek.com price page';

/**
 * Days on which the hours of double price hold: since 2026-08-23 on weekdays, and not on public holidays of China, of which those
 * of autumn 2026 are known (price page in Chinese; genai-prices issue 582; holidays: J-Chien/dsh-meter, prices file).
 */
export const peakDays: Pick<PricedHours, 'weekdaysSince' | 'except'> = {
  weekdaysSince: '2026-08-23',
  except: ['2026-09-25', '2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'],
};

/** Hours of double price since the V4 models, in minutes: 01:00 to 04:00 and 06:00 to 10:00 UTC (price page, 2026-10-27). */
const peaks = [
  { from: 60, to: 240 },
  { from: 360, to: 600 },
] as const;

const discountEnded = 'DeepSeek news of 2025-08-21: no night discount any more; the ordinary price of the time';

const flash = { input: 0.15, read: 0.003, output: 0.6 };

/**
 * V4.1 Flash, and the names before V4. Those kept being sent long after they were retired, and have prices of their own at every
 * date: the discount of the night hours, which the package still has for them, ended on 2025-09-05 at 16:00 UTC.
 */
export const deepseekRows: readonly OverlayRow[] = [
  withPeaks('deepseek-flash', '2026-09-10', flash, `${pricePage} (V4.1 Flash)`),
  withPeaks(
    'deepseek-v4-flash',
    '2026-09-10',
    flash,
    `${pricePage} (served by V4.1 Flash); start date WFMinerva/dsh-turn-cost`,
  ),
  ...['deepseek-chat', 'deepseek-reasoner'].flatMap((model) => [
    flat(model, '2025-09-06', [0.56, 0.07, 1.68], 'DeepSeek news of 2025-08-21; RooCodeInc/Roo-Code issue 9962'),
    flat(
      model,
      '2025-09-29',
      [0.28, 0.028, 0.42],
      'DeepSeek V3.2-Exp; promptfoo issue 5787, Kilo-Org/kilocode issue 3379',
    ),
    flat(model, '2026-04-26', [0.14, 0.0028, 0.28], 'served by V4 Flash; Portkey-AI/models issue 744'),
  ]),
  ...['deepseek-r1', 'deepseek-r1-0528'].map((model) => flat(model, '2025-09-06', [0.55, 0.14, 2.19], discountEnded)),
  flat('deepseek-chat-v3-0324', '2025-09-06', [0.27, 0.07, 1.1], discountEnded),
  withPeaks(
    'deepseek-chat',
    '2026-08-17',
    { input: 0.22, read: 0.007, output: 0.66 },
    `${pricePage} (served by V4 Flash)`,
  ),
  withPeaks('deepseek-chat', '2026-09-10', flash, `${pricePage} (served by V4.1 Flash)`),
  withPeaks(
    'deepseek-reasoner',
    '2026-08-17',
    { input: 0.66, read: 0.022, output: 1.98 },
    `${pricePage}; Portkey-AI/models issue 900 (as V4 Pro)`,
  ),
];

function flat(
  model: string,
  from: string,
  [input, read, output]: readonly [number, number, number],
  source: string,
): OverlayRow {
  return {
    model,
    provider: 'deepseek',
    from,
    tiers: [plainTier(0, input, read, output)],
    chargesWrites: false,
    source,
    asOf: '2026-12-01',
  };
}

function withPeaks(
  model: string,
  from: string,
  { input, read, output }: { readonly input: number; readonly read: number; readonly output: number },
  source: string,
): OverlayRow {
  const doubled: readonly RateTier[] = [plainTier(0, 2 * input, 2 * read, 2 * output)];
  return {
    ...flat(model, from, [input, read, output], source),
    hours: peaks.map((hours) => ({ ...hours, ...peakDays, tiers: doubled })),
  };
}
