import { modelOf, type Session } from '../session/index.ts';
import {
  blockTokens,
  discardedTokens,
  estimatedOutput,
  estimateTokens,
  outputTokens,
  type TokenAccount,
} from './account.ts';
import { fitTokens } from './fit.ts';
import { tokenizerGeneration } from './generations.ts';
import { recordedPrompt } from './recorded-usage.ts';
import { losesNewest, stripsThinking } from './thinking.ts';

/**
 * Counts a measured session: fitted to the prompt sizes that the provider recorded, or estimated where there are none.
 * `model` replays it as another model; if that has another tokenizer, the recording says nothing of its counts.
 * `systemTokens`: the part of hidden opening context that other sessions keep warm.
 */
export function countSession(session: Session, model?: string, systemTokens = 0): TokenAccount {
  const recorded = session.model ?? session.requests.find((request) => request.model)?.model ?? '';
  const generation = tokenizerGeneration(model ?? recorded);
  const isRecorded = session.requests.some((request) => recordedPrompt(request) > 0);
  if (!isRecorded || generation !== tokenizerGeneration(recorded)) {
    return { ...estimateTokens(session, model), otherTokenizer: otherTokenizer(session, recorded, model, isRecorded) };
  }
  const factor = session.tokenizer === 'model' ? 1 : generation.factor;
  const estimates = Int32Array.from(session.blocks, (block) => blockTokens(block, factor));
  const outputs = Int32Array.from(session.requests, (_, index) => outputTokens(session, index, estimates, factor));
  // What was thrown away was billed, and is in no prompt.
  const replies = outputs.map((output, index) =>
    Math.max(0, output - discardedTokens(session.requests[index], factor)),
  );
  const fit = fitTokens(session, estimates, replies, {
    systemTokens,
    // Replay strips by the model of each request too.
    takesNewest: losesNewest(model ?? recorded),
    strips: Uint8Array.from(session.requests, (request) =>
      Number(stripsThinking(model ?? modelOf(session, request) ?? '')),
    ),
  });
  const { measured, apportioned, estimated } = fit.known;
  const known = measured + apportioned + estimated;
  return {
    session: fit.session,
    blocks: fit.blocks,
    outputs,
    estimatedOutput: estimatedOutput(session, outputs),
    scale: factor * fit.ratio,
    method: 'fitted to the recorded prompt sizes',
    // The model's own counts are no estimates, even where no prompt confirms them.
    estimatedShare: session.tokenizer !== 'model' && known > 0 ? estimated / known : 0,
    uncertainty: fit.residual,
    fit,
  };
}

/** Says what becomes of counts that another tokenizer made; undefined where there are none. */
function otherTokenizer(session: Session, recorded: string, model = recorded, isRecorded = false): string | undefined {
  const [from, to] = [tokenizerGeneration(recorded), tokenizerGeneration(model)];
  if (from === to || recorded === '') return undefined;
  const between = `${model} counts tokens otherwise (${to.name}) than the recorded ${recorded} (${from.name})`;
  if (session.tokenizer === 'model') {
    const isKnown = from.name !== 'other' && to.name !== 'other';
    const own = isKnown ? `would be about ${(to.factor / from.factor).toFixed(2)} times as many` : 'are not known';
    return `${between}: the recorded counts are taken as they are, though its own ${own}`;
  }
  return isRecorded ? `${between}: tokens are estimated anew, not fitted to the recorded prompt sizes` : undefined;
}
