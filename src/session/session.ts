import type { Usage } from './usage.ts';

/** Kinds of block. `stub` and `record` are only ever made by policies. */
export const blockKinds = [
  'system',
  'tools',
  'prompt',
  'meta',
  'reply',
  'thinking',
  'call',
  'result',
  'summary',
  'record',
  'stub',
  'image',
] as const;
export type BlockKind = (typeof blockKinds)[number];

/** Kinds that a model produces; directly behind a request they are its output. */
export const outputKinds: readonly BlockKind[] = ['thinking', 'reply', 'call'];

/** What a tool does, whatever a harness calls it. Readers map tool names to these, so that policies need no names. */
export const toolActions = [
  'view',
  'edit',
  'write',
  'exec',
  'search',
  'fetch',
  'agent',
  'ask',
  'skill',
  'todo',
  'other',
] as const;
export type ToolAction = (typeof toolActions)[number];

/** What is kept of a block in place of its words. Token counts are in the session's `tokenizer`. */
export interface BlockSize {
  /** UTF-16 code units of the text. */
  readonly chars: number;
  /** Newline-separated lines; a final newline is not counted; an empty text has 0. */
  readonly lines: number;
  /** Tokens of the text (images and hidden tokens not included). */
  readonly tokens: number;
  /** Tokens of texts that policies derive from the block, by the name of the derived text (derived.ts). */
  readonly derived?: Readonly<Record<string, number>>;
}

/** The smallest thing in a context. Its identity is its position in `Session.blocks`. */
export interface Block {
  readonly kind: BlockKind;
  /** The words; absent in a content-free session. */
  readonly text?: string;
  /** Always present in a content-free session and after `measureSession`. */
  readonly size?: BlockSize;
  /** Pairs a call with its result. */
  readonly callId?: string;
  /** On a call and on its result: the tool's name as recorded. */
  readonly tool?: string;
  readonly action?: ToolAction;
  /** On a call and on its result: path, command, pattern, URL or description; a salted hash in a content-free session. */
  readonly target?: string;
  /** On a call or a reply: `callId`s of earlier results that it repeats a line of. Kept where the words are gone. */
  readonly quotes?: readonly string[];
  /** On a result: the recorded error flag. */
  readonly isError?: boolean;
  /** On a result of a command: its recorded exit status. */
  readonly exitCode?: number;
  /** Images inside the block. */
  readonly images?: number;
  /** Tokens that the transcript counts but does not show (encrypted or omitted thinking), in the model's own tokens. */
  readonly hiddenTokens?: number;
}

/** Settings of a request that a provider may make part of what a cache entry is known by. */
export const settingNames = ['tools', 'effort', 'thinking', 'speed', 'toolChoice'] as const;
export type SettingName = (typeof settingNames)[number];

/** What settings of a request were, in words; one that is left out is as it was. */
export type RequestSettings = Readonly<Partial<Record<SettingName, string>>>;

/** Service tiers that are billed otherwise than the list says. */
export const billedTiers = ['batch', 'flex', 'fast'] as const;
export type BilledTier = (typeof billedTiers)[number];

/** How a request was served, as far as that has a price of its own. */
export interface Served {
  /** Absent: the standard tier. */
  readonly tier?: BilledTier;
  /** Anthropic's `inference_geo`: kept in the United States; absent: anywhere. */
  readonly region?: 'us';
}

/** One call to the provider. */
export interface Request extends Served {
  readonly id?: string;
  /** The prompt is the segment's context up to (not including) this block. */
  readonly at: number;
  /** Blocks `at … at + outputs - 1` are what the model produced. */
  readonly outputs: number;
  /** Index into `Session.turns`; -1 before the first turn. */
  readonly turn: number;
  /** Start of the request, milliseconds since the epoch, UTC. Absent where the transcript has no time. */
  readonly time?: number;
  /** The model that answered; absent means the session's. */
  readonly model?: string;
  /** What the provider recorded; absent where the transcript has no usage. */
  readonly usage?: Usage;
  /** What was recorded in place of `usage` where nobody knows how the cache split the prompt. */
  readonly totals?: RequestTotals;
  readonly settings?: RequestSettings;
  /**
   * What the model wrote and no later prompt carries: of an answer that broke off. It was billed, by its estimate where
   * nothing counted it.
   */
  readonly discarded?: readonly Block[];
}

/** Tokens of one request as a log without cache classes has them. */
export interface RequestTotals {
  /** The whole prompt, however it was billed. */
  readonly prompt: number;
  readonly output: number;
}

/** One human prompt and everything up to the model's final reply to it. */
export interface Turn {
  readonly firstBlock: number;
  /** Set when a segment starts in the middle of a turn: no new human prompt, and not counted as a turn. */
  readonly continues?: true;
}

/** Why a context was replaced as a whole. */
export const segmentReasons = ['start', 'compaction', 'clear', 'rewind', 'fork', 'unknown'] as const;
export type SegmentReason = (typeof segmentReasons)[number];

/** A stretch of a session between two recorded resets of its context. Its opening context is never elided. */
export interface Segment {
  readonly reason: SegmentReason;
  /** When the reset happened, milliseconds since the epoch. */
  readonly time?: number;
  /** Earlier blocks that stay in the context, in order; the blocks from `firstBlock` on follow them. */
  readonly keeps: readonly number[];
  readonly firstBlock: number;
  readonly firstRequest: number;
  readonly firstTurn: number;
}

/** A request that was billed but stands in no context that goes on (a rewound or abandoned branch). Billed alike in every row. */
export interface AbandonedRequest extends Served {
  readonly model?: string;
  readonly time?: number;
  readonly usage: Usage;
}

/** One recorded conversation in one lane: a linear context with its own cache prefix. A sub-agent is a session with a `parent`. */
export interface Session {
  readonly id: string;
  /** The session that started this one (sub-agents, forks). */
  readonly parent?: string;
  /** The harness that recorded it, as a plain name: `claude-code`, `codex`, … */
  readonly agent?: string;
  readonly agentVersion?: string;
  readonly project?: string;
  /** Model of requests that name none. */
  readonly model?: string;
  /** `text`: blocks carry words. `sizes`: content-free, blocks carry sizes only. */
  readonly content: 'text' | 'sizes';
  /** What `BlockSize` counts: a tiktoken encoding, or `model` for the model's own tokens. */
  readonly tokenizer?: 'o200k_base' | 'model';
  /** Leading blocks that other sessions keep in the provider's cache: warm at every request, the first included, after any pause. */
  readonly warmBlocks?: number;
  readonly blocks: readonly Block[];
  readonly turns: readonly Turn[];
  readonly requests: readonly Request[];
  readonly segments: readonly Segment[];
  readonly abandoned: readonly AbandonedRequest[];
}

/** Human turns of a session: what people count, without the turns that a recorded reset cut in two. */
export function humanTurns(session: Session): number {
  return session.turns.reduce((sum, turn) => sum + (turn.continues ? 0 : 1), 0);
}

/** Human turns without the prompts that no request followed: those cost nothing, and dollars per turn would fall by each. */
export function answeredTurns({ turns, requests }: Pick<Session, 'turns' | 'requests'>): number {
  const answered = new Set(requests.map(({ turn }) => turn));
  let isCounted = true;
  let count = 0;
  for (const [index, { continues }] of turns.entries()) {
    if (!continues) isCounted = false;
    if (isCounted || !answered.has(index)) continue;
    isCounted = true;
    count += 1;
  }
  return count;
}

/** The model of a request, or the session's, or undefined where none was recorded. */
export function modelOf(session: Session, request: Request): string | undefined {
  return request.model ?? session.model;
}
