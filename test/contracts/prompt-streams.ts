import fc from 'fast-check';
import { planners } from '../../src/providers/index.ts';
import type { Cache, Split, TtlClass } from '../../src/providers/provider.ts';
import { type Part, Prompter } from '../providers/cache/prompt.ts';

/** One request of a made-up lane: what it carries, when, and where the policy's stable boundary stands. */
export interface StreamRequest {
  readonly parts: readonly Part[];
  /** Seconds since the first request. */
  readonly time: number;
  readonly stable: number;
  /** Which of two lifetimes it asks for. */
  readonly first: boolean;
}

/** What a lane may do between two requests; positions are shares of the prompt, so that they always exist. */
const moves = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('append' as const), blocks: fc.integer({ min: 0, max: 25 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), at: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fork' as const),
      to: fc.nat(9),
      keep: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);

const steps = fc.array(
  fc.record({
    move: moves,
    pause: fc.constantFrom(0, 10, 250, 300, 301, 600, 601, 1801, 3600, 3601, 90_000),
    stable: fc.double({ min: 0, max: 0.999, noNaN: true }),
    tokens: fc.constantFrom(1, 90, 700),
    first: fc.boolean(),
  }),
  { minLength: 1, maxLength: 9 },
);

/** Appends, edits in the middle, forks back into earlier prompts, after pauses around every lifetime. */
export const promptStreams: fc.Arbitrary<StreamRequest[]> = steps.map((taken) => {
  let made = 0;
  const block = (tokens: number): Part => [`b${made++}`, tokens];
  const sent: StreamRequest[] = [];
  let parts: Part[] = [block(1500), block(600)];
  let time = 0;
  for (const { move, pause, stable, tokens, first } of taken) {
    time += pause;
    if (move.do === 'append') parts = [...parts, ...Array.from({ length: move.blocks }, () => block(tokens))];
    else if (move.do === 'edit') parts = parts.with(Math.floor(move.at * parts.length), block(tokens));
    else {
      const earlier = sent[move.to % Math.max(1, sent.length)]?.parts ?? parts;
      parts = [...earlier.slice(0, Math.ceil(move.keep * earlier.length)), block(tokens)];
    }
    sent.push({ parts, time, stable: Math.floor(stable * parts.length), first });
  }
  return sent;
});

/** How a stream is sent. */
export interface Sending {
  readonly planner: string;
  readonly ttls: readonly [TtlClass, TtlClass];
  readonly warm: number;
  /** Changes what the planner placed. */
  readonly markers?: (placed: readonly number[], length: number) => readonly number[];
}

/** How a request was split, and what of it a client that keeps contents created just before. */
export interface Sent extends Split {
  readonly created: number;
}

/** Sends a stream through a cache, markers where the planner puts them; how each request was split. */
export function sendStream(cache: Cache, stream: readonly StreamRequest[], sending: Sending): Sent[] {
  const prompter = new Prompter(cache);
  const plan = planners.get(sending.planner);
  const out = new Int32Array(4);
  let previous: StreamRequest | undefined;
  return stream.map((request) => {
    const { parts, time, stable, first } = request;
    const at = (name: string | undefined) => parts.findIndex(([part]) => part === name);
    const view = { length: parts.length, nodes: new Int32Array(0), ends: new Float64Array(0), blocksAt: () => 1 };
    const count = plan.plan(
      {
        view,
        systemEnd: 1 < parts.length ? 1 : 0,
        stable,
        previousStable: previous ? at(previous.parts[previous.stable]?.[0]) : -1,
        previousTail: at(previous?.parts.at(-1)?.[0]),
        lastReply: -1,
      },
      out,
    );
    previous = request;
    const placed = [...out.subarray(0, count)];
    const markers = sending.markers?.(placed, parts.length) ?? placed;
    const ttl = sending.ttls[first ? 0 : 1];
    const split = prompter.send(parts, { time, ttl, markers, warm: Math.min(sending.warm, parts.length) });
    return { ...split, created: prompter.fees.created ?? 0 };
  });
}

/** Tokens of the first `length` blocks. */
export function tokensOf(parts: readonly Part[], length = parts.length): number {
  return parts.slice(0, length).reduce((sum, [, tokens]) => sum + tokens, 0);
}

/** How many leading blocks two prompts share. */
export function commonBlocks(a: readonly Part[], b: readonly Part[]): number {
  const differs = a.findIndex(([name], at) => name !== b[at]?.[0]);
  return differs === -1 ? a.length : differs;
}
