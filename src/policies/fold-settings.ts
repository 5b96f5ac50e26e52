import { CtxsimError } from '../errors.ts';
import { estimators } from './fold-history.ts';
import type { ParamSpec, Settings } from './policy.ts';

const rate = (what: string) =>
  ({ type: 'number', default: 0, min: 0, max: 1, doc: `share of summaries that ${what}` }) as const;

/** Settings of `fold`; what the seed leaves open is marked as assumed. */
export const foldParams = {
  recent_turns: { type: 'integer', default: 0, min: 0, doc: 'finished turns that are never folded' },
  high_water: { type: 'number', default: 0.8, doc: 'share of the budget above which history is folded' },
  low_water: { type: 'number', default: 0.5, doc: 'share of the budget that is left, the record included' },
  summary_max_tokens: { type: 'integer', default: 4000, doc: 'cap of the record; a larger one fails' },
  instruction_max_tokens: { type: 'integer', default: 400, doc: 'cap of the instruction excerpts in it' },
  judgment_tokens: {
    type: 'integer',
    default: 800,
    min: 0,
    doc: 'tokens of what the model writes into it (assumed)',
  },
  budget_formula: {
    type: 'choice',
    default: 'half_after_reserve',
    choices: ['half_after_reserve', 'half_minus_reserve'],
    doc: 'half of what the window leaves beside the reply, or half the window less the reply',
  },
  estimator: {
    type: 'choice',
    default: 'calibrated',
    choices: estimators,
    doc: 'characters by four fitted to the session, characters by four, or the tokens as the model counts them',
  },
  record_trim: {
    type: 'choice',
    default: 'off',
    choices: ['off', 'on'],
    doc: 'on: a record above its cap loses its oldest commands and write actions instead of failing',
  },
  summarizer_model: { type: 'model', default: 'main', doc: 'the model that writes the record' },
  summarizer_sees: {
    type: 'choice',
    default: 'elided',
    choices: ['elided', 'raw'],
    doc: 'the folded turns as they are sent, or with every result whole',
  },
  summarizer_prompt_tokens: { type: 'integer', default: 600, min: 0, doc: 'its instructions, tokens (assumed)' },
  malformed_rate: rate('are malformed; each is tried once more'),
  failed_rate: rate('fail'),
  canceled_rate: rate('are canceled'),
  stale_rate: rate('come too late'),
  seed: { type: 'integer', default: 0, doc: 'seed of the draws of these rates' },
} as const satisfies Readonly<Record<string, ParamSpec>>;

/** The seed's own rules. @throws CtxsimError `bad-policy`, before anything runs. */
export function checkFoldSettings(settings: Settings): void {
  const value = (name: string) => settings[name] as number;
  const [low, high] = [value('low_water'), value('high_water')];
  const [summary, instructions] = [value('summary_max_tokens'), value('instruction_max_tokens')];
  const rates = ['malformed_rate', 'failed_rate', 'canceled_rate', 'stale_rate'].reduce(
    (all, name) => all + value(name),
    0,
  );
  const faults: [boolean, string, string][] = [
    [
      !(0 < low && low < high && high <= 1),
      `low_water=${low}, high_water=${high}`,
      'Watermarks must satisfy 0 < low_water < high_water <= 1.',
    ],
    [
      !(summary > 0 && instructions > 0),
      `summary_max_tokens=${summary}, instruction_max_tokens=${instructions}`,
      'Token caps must be positive.',
    ],
    [
      instructions > summary,
      `summary_max_tokens=${summary}, instruction_max_tokens=${instructions}`,
      'The instruction cap cannot exceed the summary cap.',
    ],
    [rates > 1, `the rates add up to ${rates}`, 'Each summary has one outcome: together they cannot be more than 1.'],
  ];
  for (const [isFault, what, rule] of faults) if (isFault) throw new CtxsimError('bad-policy', `fold: ${what}`, rule);
}
