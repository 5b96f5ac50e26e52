import type { Block, DerivedName, Usage } from '../session/index.ts';
import type { BlockId, Plan } from './plan.ts';

/**
 * When a policy is asked. In the order of one request: `turn_end` of the turn before, `idle_deadline`, `model_switch`,
 * `turn_start`, `ingest`, `pre_request`, (`overflow`), dispatch, `post_response`.
 */
export const policyEvents = [
  /** New results are about to enter the context for the first time. */
  'ingest',
  /** A human prompt was appended; its first request has not been sent. */
  'turn_start',
  'pre_request',
  'post_response',
  /** The turn before is over, because another follows; the time is still that of its last request. A recorded reset ends none. */
  'turn_end',
  /**
   * In a pause, at the last moment at which the entry of the last request can be read: `now` is that moment. Asked again a
   * lifetime later as long as the policy answers with a call that reads the cache, and so keeps it alive.
   */
  'idle_deadline',
  /** The request would exceed the window; asked once, then the request is unsendable. */
  'overflow',
  'model_switch',
] as const;
export type PolicyEvent = (typeof policyEvents)[number];

/** What a policy sees. It sees no words, no dollars and no future: only blocks that have entered the context. */
export interface ReadonlyState {
  /** Turn in this segment, from 1. */
  readonly turn: number;
  /** Request in this turn, from 1. */
  readonly round: number;
  /** The blocks of a finished turn or of the current one so far: first inclusive, end exclusive. */
  turnBlocks(turn: number): { readonly first: BlockId; readonly end: BlockId };
  /** The measured block; policies read its kind, tool, action and sizes, never its words. */
  block(id: BlockId): Block;
  /** Tokens of a block as the model counts them. */
  tokens(id: BlockId): number;
  /** Model tokens of a text derived from the block; undefined where the session did not keep that size. */
  derivedTokens(id: BlockId, name: DerivedName): number | undefined;
  /** Model tokens of a text that the policy itself puts in, from its o200k tokens. */
  modelTokens(counted: number): number;
  /** Length of the view, blocks. */
  readonly viewLength: number;
  /** Block at a position of the view. */
  viewAt(position: number): BlockId;
  /** Position in the view, or -1. */
  positionOf(id: BlockId): number;
  /** The session's block that an entry of the view is or stands for; -1 where it stands for none, as a summary does. */
  originOf(id: BlockId): BlockId;
  /** First block that the coming request carries for the first time; `end` of the blocks is exclusive. */
  readonly ingestFirst: BlockId;
  readonly ingestEnd: BlockId;
  /** Tokens of the coming request as it stands. */
  readonly nextPrompt: number;
  /**
   * Usage of the previous request in this replay, if there was one in this segment. Extra calls do not count, and once a
   * sticky edit has changed what that request carried or brought, the figure is out of date and gone until the next request:
   * a trigger must not fire twice on one figure. `nextPrompt` is always there.
   */
  readonly lastUsage: Usage | undefined;
  /** Context window of the model, or what the policy takes it to be, tokens; Infinity where unknown. */
  readonly window: number;
  /** Tokens that the run keeps free for the reply. */
  readonly outputReserve: number;
  /** The time of the event, for most that of the coming request: milliseconds since the epoch; NaN where unknown. */
  readonly now: number;
  /** Milliseconds since the previous request started; NaN where unknown. */
  readonly idle: number;
  /**
   * Silent changes that the recording shows, by position in the view: at `post_response` those before the next request, at
   * `pre_request` those of a segment's first request.
   */
  recordedEdits(): readonly { readonly from: number; readonly to: number; readonly tokens: number }[];
  /** Prices of the main model relative to its input, for policies whose rule needs them. */
  readonly ratios: { readonly read: number; readonly write: number };
}

/** A running policy: one instance per segment, with state of its own, deterministic. */
export interface Policy {
  /** The events that it wants; the engine asks at no others. */
  readonly events: readonly PolicyEvent[];
  /** A pipeline: the engine asks its members in turn, each on the view that the ones before it left, and never the whole. */
  readonly members?: readonly Policy[];
  /**
   * Tokens that its system keeps free for the reply, where a rule of its own decides when it acts: a request is then too long
   * for it above the window less these. The run's reserve (`--output-reserve`) is for policies that say nothing here.
   */
  readonly outputReserve?: number | undefined;
  /** Tokens that its system takes a model's window to hold, where it has a table of its own; a window named by the user comes first. */
  windowOf?(model: string): number | undefined;
  on(event: PolicyEvent, state: ReadonlyState): Plan | undefined;
}

export type Setting = number | string;
export type Settings = Readonly<Record<string, Setting>>;

/** One setting of a policy: what the command line accepts, `list policies` shows and a sweep may vary. */
export type ParamSpec =
  | {
      readonly type: 'integer' | 'number';
      readonly default: number;
      readonly min?: number;
      readonly max?: number;
      readonly doc: string;
    }
  | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[]; readonly doc: string }
  /** A model by id; `main` is the session's own. */
  | { readonly type: 'model'; readonly default: 'main'; readonly doc: string };

/** What of a session a policy cannot do without; where it is missing, the row is not applicable rather than 0 %. */
export type PolicyNeed = 'times' | 'tools';

/** When a policy that knows the future acts: at the start of these turns of a segment, or before every request. */
export type Schedule = readonly number[] | 'every request';

/** A family of policies: code, with its settings as data. */
export interface PolicyKind {
  readonly name: string;
  /** One sentence: what it does, the product it models, how it differs from its nearest neighbour. */
  readonly summary: string;
  /** Where its rules come from. */
  readonly source: string;
  readonly params: Readonly<Record<string, ParamSpec>>;
  readonly needs?: readonly PolicyNeed[];
  /** What these settings need beside `needs`. */
  needsFor?(settings: Settings): readonly PolicyNeed[];
  /** Settings that come to the same thing in one form, so that they are one row. */
  normalize?(settings: Settings): Settings;
  /** What it does depends on the model's context window, which is then printed with the table. */
  readonly usesWindow?: true;
  /** It may change what was sent between the requests of one turn; without it a policy promises to do so at a turn's start only. */
  readonly editsInsideTurns?: true;
  /** It only makes sense on the recorded view, so it is no member of a pipeline. */
  readonly standsAlone?: true;
  /**
   * It knows the future: whoever replays it searches the turns at whose start it acts, and creates it with them, one policy
   * per segment. `create` gives one that is told of none.
   */
  createScheduled?(settings: Settings, acts: Schedule): Policy;
  /** The user's file that it comes from: what it does wrong is no bug of ours, and the file is named. */
  readonly file?: string;
  /** @throws CtxsimError where settings contradict each other. */
  create(settings: Settings): Policy;
}

/** How sure we are of a preset: its source was read, its documentation was, somebody else described it, or it is our own. */
export type Evidence = 'source read' | 'documentation' | 'second-hand' | 'own idea';

/** A named setting of a real system: data. Settings given behind its name go to every component that knows the key. */
export interface Preset {
  readonly name: string;
  /** What it stands for, as `--policy` takes it: `elide:recent_turns=1+fold`. */
  readonly policy: string;
  /** One sentence: what the system does. */
  readonly summary: string;
  /** Product and version. */
  readonly origin: string;
  /** Day for which this is known, `YYYY-MM-DD` or `YYYY-MM`. */
  readonly date: string;
  readonly evidence: Evidence;
  /** What its parts do by themselves: rows beside it where it is asked for by name, with the same settings. */
  readonly parts?: readonly { readonly label: string; readonly policy: string }[];
  /** The system's own settings file, which `config=PATH` reads. */
  readonly config?: SettingsFile;
}

/** A file in which a system keeps settings of its own. */
export interface SettingsFile {
  readonly form: 'toml' | 'json';
  /** The table that holds them, and nothing else; without one they stand among settings that are none of our business. */
  readonly table?: string;
  /** All of them are numbers, called as here. */
  readonly keys: readonly string[];
}
