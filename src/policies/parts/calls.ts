import type { ExtraCall } from '../plan.ts';
import type { ParamSpec, ReadonlyState, Settings } from '../policy.ts';

/** The model call that writes a summary; whether it reads the warm prefix is half of its price. */
export const callParams = {
  call: {
    type: 'choice',
    default: 'fresh',
    choices: ['fresh', 'shared', 'server', 'none'],
    doc: 'a request of its own; the live request with a prompt behind it; by the provider; or a rule without a call',
  },
  summary_tokens: {
    type: 'integer',
    default: 2_800,
    min: 0,
    doc: 'size of the summary, tokens (2,783 and 2,839 in published runs)',
  },
  prompt_tokens: { type: 'integer', default: 600, min: 0, doc: 'instructions of the call, tokens' },
  result_cap: { type: 'integer', default: 0, min: 0, doc: 'tokens of each result that a fresh call sees; 0: all' },
  input_cap: { type: 'integer', default: 0, min: 0, doc: 'tokens of history that a fresh call sees; 0: all' },
  verify: { type: 'choice', default: 'no', choices: ['no', 'yes'], doc: 'yes: a second call checks the summary' },
  summary_model: { type: 'model', default: 'main', doc: 'model of the call' },
} as const satisfies Record<string, ParamSpec>;

/** The calls that summarize positions `from … end - 1` of the view, and so many further tokens. */
export function callsFor(
  state: ReadonlyState,
  { from, end }: { readonly from: number; readonly end: number },
  further: number,
  settings: Settings,
): ExtraCall[] {
  if (settings.call === 'none') return [];
  const prefix = settings.call as ExtraCall['prefix'];
  const prompt = settings.prompt_tokens as number;
  const output = settings.summary_tokens as number;
  const input = prompt + (prefix === 'fresh' ? readTokens(state, from, end, settings) + further : 0);
  const model = settings.summary_model as string;
  const common = { prefix, output, ...(model === 'main' ? {} : { model }) };
  const summary: ExtraCall = { ...common, purpose: 'summary', input, reason: 'a summary of the older history' };
  if (settings.verify === 'no') return [summary];
  return [summary, { ...common, purpose: 'verify', input: input + output, reason: 'a check of the summary' }];
}

/** Tokens of a serialized history: results cut, thinking left out. */
function readTokens(state: ReadonlyState, from: number, end: number, settings: Settings): number {
  const resultCap = (settings.result_cap as number) || Number.POSITIVE_INFINITY;
  let tokens = 0;
  for (let at = from; at < end; at += 1) {
    const id = state.viewAt(at);
    const origin = state.originOf(id);
    const kind = origin === -1 ? 'summary' : state.block(origin).kind;
    if (kind !== 'thinking')
      tokens += Math.min(state.tokens(id), kind === 'result' ? resultCap : Number.POSITIVE_INFINITY);
  }
  return Math.min(tokens, (settings.input_cap as number) || tokens);
}
