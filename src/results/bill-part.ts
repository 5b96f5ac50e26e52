import type { Usage } from '../session/index.ts';
import type { LedgerLine } from './ledger-line.ts';

/**
 * What a part of a bill paid for. `resent`: tokens that an earlier request had carried already, billed in full once more;
 * `contents`: cached contents that the client created, and their storage; `refetch`: what --refetch-rate charges.
 */
export const partKinds = ['output', 'new', 'read', 'resent', 'calls', 'contents', 'refetch', 'abandoned'] as const;
export type PartKind = (typeof partKinds)[number];

/** Why tokens that had been sent before were not read from the cache, in the words of the user. */
export const resentCauses = {
  edit: 'the policy edited the past',
  placement: 'no cache entry ended there',
  'look-back': 'the entry lay beyond the look-back',
  expired: 'the cache entry had expired',
  lost: 'lost before its time, as recorded',
  'expected-loss': 'losses to expect at the measured rate',
  reset: 'the recording replaced the context',
  settings: 'a setting of the request changed (effort, tools, …)',
  'provider-edit': 'the provider took old thinking out',
  model: 'another model, another cache',
  minimum: 'shorter than the smallest prefix that is cached',
  rounding: 'reads are rounded down',
  unexplained: 'unexplained',
} as const;
export type ResentCause = keyof typeof resentCauses;

/** Names a part: what it paid for, of resent tokens the cause, of edits and calls also the reason or purpose. */
export interface PartName {
  readonly kind: PartKind;
  readonly cause?: ResentCause;
  /** The reason of an edit, the reason of a reset, the purpose of a call. */
  readonly detail?: string;
}

/** A part of a bill as tokens per set of rates: parts of several sessions add up as integers. */
export interface BillPart extends PartName {
  /** Requests or calls that it befell. */
  readonly times: number;
  readonly ledger: readonly LedgerLine[];
}

/** Tokens that one request sent again, and why. */
export interface Resent {
  readonly cause: ResentCause;
  readonly detail?: string;
  readonly tokens: number;
  /** The same tokens in the classes that they were billed in. */
  readonly usage: Usage;
}

/** One request of a replay, for `explain`. */
export interface RequestTrace {
  /** From 1, over the session. */
  readonly request: number;
  /** From 1; 0 for what stands before the first prompt. */
  readonly turn: number;
  /** Milliseconds since the epoch; absent where unknown. */
  readonly time?: number;
  readonly model: string;
  /** What it was billed: one line, its usage output included. */
  readonly line: LedgerLine;
  /** Tokens that no earlier request had carried. */
  readonly newTokens: number;
  readonly resent: readonly Resent[];
  /** Where the policy's edits since the request before begin: the first block that they touch, by turn and number in it. */
  readonly edit?: { readonly turn: number; readonly block: number; readonly count: number; readonly reason: string };
  /** It was longer than the window allows: it could not have been sent, and is billed as if it had been. */
  readonly isTooLong?: true;
}
