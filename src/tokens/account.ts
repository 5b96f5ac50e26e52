import type { Block, Request, Session } from '../session/index.ts';
import { promptBlocks, withOpening } from '../session/index.ts';
import type { Fit } from './fit.ts';
import { tokenizerGeneration } from './generations.ts';
import { recordedOutput, recordedPrompt } from './recorded-usage.ts';

/** Tokens of a session as its model counts them: what replay bills. Integers throughout. */
export interface TokenAccount {
  /** The session that the counts belong to; its first block may be an inferred opening context. */
  readonly session: Session;
  /** Tokens of each block. */
  readonly blocks: Int32Array;
  /** Billed output tokens of each request. */
  readonly outputs: Int32Array;
  /** Output tokens that rest on no recorded count. */
  readonly estimatedOutput: number;
  /** Model tokens per counted token, for text that a policy derives. */
  readonly scale: number;
  /** How the numbers came about, for the footer of a table. */
  readonly method: string;
  /** What a replay as a model with another tokenizer does to the counts; absent where nothing changes. */
  readonly otherTokenizer?: string | undefined;
  /** Share of the blocks' tokens that rest on no recorded prompt size. */
  readonly estimatedShare: number;
  /** What an estimated count is off by, as a share of it; unset where it is not known or nothing is estimated. */
  readonly uncertainty?: number | undefined;
  /** What the fit found, where usage was recorded. */
  readonly fit?: Fit;
}

/** Tokens of one image: Anthropic's width × height / 750 reaches about 1,600 at full size (formats.md §27). */
const imageTokens = 1600;

/**
 * Recorded output below this share of what the reply shows is a stream placeholder, not a count: old Claude Code versions
 * wrote them. Visible text has 2.2 to 4.1 characters per token, far below six (corpus measurements, formats.md §3.5).
 */
const placeholderCharsPerToken = 6;

/**
 * Estimates a measured session: counted tokens times the prior factor of the model's tokenizer generation.
 * `model` overrides what was recorded; the recorded usage then says nothing of the new model's tokens.
 */
export function estimateTokens(session: Session, model?: string): TokenAccount {
  const name = model ?? session.model ?? session.requests.find((request) => request.model)?.model ?? '';
  const scale = session.tokenizer === 'model' ? 1 : tokenizerGeneration(name).factor;
  const opened = withInferredOpening(session, scale);
  const blocks = Int32Array.from(opened.blocks, (block) => blockTokens(block, scale));
  const outputs = Int32Array.from(opened.requests, (_, index) => outputTokens(opened, index, blocks, scale));
  return {
    session: opened,
    blocks,
    outputs,
    estimatedOutput: estimatedOutput(opened, outputs),
    scale,
    method:
      session.tokenizer === 'model'
        ? "counts are the model's own, as recorded"
        : `o200k_base x ${scale} (${tokenizerGeneration(name).name}, estimated)`,
    estimatedShare: session.tokenizer === 'model' ? 0 : 1,
    uncertainty: session.tokenizer === 'model' ? undefined : tokenizerGeneration(name).residual,
  };
}

/** Tokens of a block as the model sees it: its text, its images, and what the transcript counts but does not show. */
export function blockTokens(block: Block, scale: number): number {
  if (!block.size) throw new Error('the session was not measured');
  return Math.round(block.size.tokens * scale) + (block.images ?? 0) * imageTokens + (block.hiddenTokens ?? 0);
}

/** Estimated tokens of what a request wrote and no later prompt carries. */
export function discardedTokens(request: Request | undefined, scale: number): number {
  return (request?.discarded ?? []).reduce((sum, block) => sum + blockTokens(block, scale), 0);
}

/** Output that was not recorded, or only as a placeholder; counts that are the model's own are no estimates. */
export function estimatedOutput({ tokenizer, requests }: Session, outputs: Int32Array): number {
  if (tokenizer === 'model') return 0;
  return outputs.reduce(
    (sum, output, at) => (output === recordedOutput(requests[at] as Request) ? sum : sum + output),
    0,
  );
}

/**
 * Most transcripts do not show the system prompt and the tool definitions. Where the first request's prompt size was
 * recorded, what its visible blocks do not explain becomes one block at the start.
 */
function withInferredOpening(session: Session, scale: number): Session {
  const first = session.requests[0];
  if (
    !first ||
    recordedPrompt(first) === 0 ||
    session.blocks.some((block) => block.kind === 'system' || block.kind === 'tools')
  )
    return session;
  const visible = promptBlocks(session, 0).reduce(
    (sum, index) => sum + blockTokens(session.blocks[index] as Block, scale),
    0,
  );
  const hidden = recordedPrompt(first) - visible;
  if (hidden <= 0) return session;
  return withOpening(session, {
    kind: 'system',
    size: { chars: 0, lines: 0, tokens: 0 },
    hiddenTokens: hidden,
  });
}

/**
 * The recorded output, or the estimate of the visible reply where nothing (or only a placeholder) was recorded; what no
 * later prompt carries was written, too.
 */
export function outputTokens(session: Session, requestIndex: number, blocks: Int32Array, scale: number): number {
  const request = session.requests[requestIndex];
  if (!request) throw new Error(`no request ${requestIndex}`);
  let visible = 0;
  let chars = 0;
  for (let block = request.at; block < request.at + request.outputs; block += 1) {
    visible += blocks[block] ?? 0;
    chars += session.blocks[block]?.size?.chars ?? 0;
  }
  visible += discardedTokens(request, scale);
  for (const { size } of request.discarded ?? []) chars += size?.chars ?? 0;
  const recorded = recordedOutput(request);
  if (recorded === undefined) return visible;
  return chars > placeholderCharsPerToken * Math.max(recorded, 1) && visible > recorded ? visible : recorded;
}
