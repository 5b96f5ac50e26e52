import { z } from 'zod';
import type { SessionBuilder, SessionFacts } from './builder.ts';
import { derivedNames } from './derived.ts';
import {
  type Block,
  billedTiers,
  blockKinds,
  outputKinds,
  type Request,
  type Session,
  segmentReasons,
  settingNames,
  toolActions,
} from './session.ts';
import { largestCount, largestOutput, promptTokens, type Usage } from './usage.ts';

/** Name and version of the native format: the first line of every session carries it. */
export const nativeFormat = 'ctxsim.session/1';

const count = z.int().nonnegative().max(largestCount);
/** Milliseconds since the epoch that a date can hold (ECMAScript time range). */
const milliseconds = z.int().nonnegative().max(8.64e15);
/** Milliseconds of 1973: a smaller number is meant as seconds. */
const leastMilliseconds = 1e11;
const timeHint = 'expected an ISO time with a zone, such as 2026-03-02T09:00:00Z, or milliseconds since 1970';
const time = z.union(
  [
    z.iso.datetime({ offset: true, error: timeHint }),
    milliseconds.refine((value) => value === 0 || value >= leastMilliseconds, timeHint),
  ],
  timeHint,
);

const output = z.int().nonnegative().max(largestOutput, `no model writes more than ${largestOutput} tokens at once`);

const usage = z
  .strictObject({
    fresh: count,
    cacheRead: count,
    cacheWrite5m: count.default(0),
    cacheWrite1h: count.default(0),
    output,
  })
  .refine(
    (it) => promptTokens(it) <= largestCount,
    `the prompt adds up to more than the ${largestCount} tokens that a request can have`,
  );

const totals = z.strictObject({ prompt: count, output });

const size = z.strictObject({
  chars: count,
  lines: count,
  tokens: count,
  derived: z.partialRecord(z.enum(derivedNames), count).optional(),
});

const header = z.strictObject({
  type: z.literal('session'),
  format: z.literal(nativeFormat),
  id: z.string().min(1),
  parent: z.string().optional(),
  agent: z.string().optional(),
  agentVersion: z.string().optional(),
  project: z.string().optional(),
  model: z.string().optional(),
  content: z.enum(['text', 'sizes']).default('text'),
  tokenizer: z.enum(['o200k_base', 'model']).optional(),
  warmBlocks: count.optional(),
});

const content = z.strictObject({
  kind: z.enum(blockKinds),
  text: z.string().optional(),
  size: size.optional(),
  callId: z.string().optional(),
  tool: z.string().optional(),
  action: z.enum(toolActions).optional(),
  target: z.string().optional(),
  quotes: z.array(z.string()).optional(),
  isError: z.boolean().optional(),
  exitCode: z.int().optional(),
  images: count.optional(),
  hiddenTokens: count.optional(),
});
const needsContent = 'a block needs text, or size in its place (images and hiddenTokens may stand alone)';
const hasContent = ({ text, size, images, hiddenTokens }: z.infer<typeof content>) =>
  (text ?? size ?? images ?? hiddenTokens) !== undefined;

const block = content.extend({ type: z.literal('block') }).refine(hasContent, needsContent);

const turn = z.strictObject({ type: z.literal('turn'), continues: z.literal(true).optional() });

const word = z.string().min(1);
const settings = z.partialRecord(z.enum(settingNames), word);

/** How a request was served, where that has a price of its own. */
const served = { tier: z.enum(billedTiers).optional(), region: z.literal('us').optional() };

const request = z.strictObject({
  type: z.literal('request'),
  id: z.string().optional(),
  time: time.optional(),
  model: z.string().optional(),
  usage: usage.optional(),
  totals: totals.optional(),
  settings: settings.optional(),
  ...served,
  outputs: count.optional(),
  discarded: z.array(content.refine(hasContent, needsContent)).optional(),
});

const segment = z.strictObject({
  type: z.literal('segment'),
  reason: z.enum(segmentReasons),
  time: time.optional(),
  /** Positions of earlier blocks of the session, counted from 0, that stay in the context. */
  keeps: z
    .array(count)
    .refine((blocks) => new Set(blocks).size === blocks.length, 'a block stands in it twice')
    .default([]),
});

const abandoned = z.strictObject({
  type: z.literal('abandoned'),
  model: z.string().optional(),
  time: time.optional(),
  usage,
  ...served,
});

/** One line of the native format. */
export const nativeRecord = z.discriminatedUnion('type', [header, block, turn, request, segment, abandoned]);
export type NativeRecord = z.infer<typeof nativeRecord>;

/** What is wrong with a record, one line a fault: the field, and what was expected. */
export function faultsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message));
}

/** The facts of a session from its first line. */
export function factsOf(record: Extract<NativeRecord, { type: 'session' }>): SessionFacts {
  const { type: _type, format: _format, ...facts } = record;
  return withoutUndefined(facts);
}

/** Hands one record that is not a header to the builder. */
export function addRecord(builder: SessionBuilder, record: Exclude<NativeRecord, { type: 'session' }>): void {
  if (record.type === 'turn') builder.turn(record.continues === true);
  else if (record.type === 'segment') builder.segment(record.reason, record.keeps, instantOf(record.time));
  else if (record.type === 'block') {
    const { type: _type, ...fields } = record;
    builder.block(withoutUndefined(fields) as Block);
  } else {
    const { type, time: at, ...fields } = record;
    const complete = withoutUndefined({ ...fields, time: instantOf(at) });
    if (type === 'abandoned') builder.abandoned(complete as typeof complete & { usage: Usage });
    else {
      const { outputs, ...request } = complete as typeof complete & { outputs?: number; discarded?: Block[] };
      builder.request(request, outputs);
    }
  }
}

function instantOf(time: string | number | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(new Date(time).toISOString());
}

/** A session as lines of the native format, without newlines; reading them again gives the same session. */
export function* writeNative(session: Session): Generator<string> {
  const { blocks, turns, requests, segments, abandoned: branches, ...facts } = session;
  yield JSON.stringify({ type: 'session', format: nativeFormat, ...facts });
  let turnAt = 0;
  let requestAt = 0;
  let segmentAt = 1;
  for (let at = 0; at <= blocks.length; at += 1) {
    for (;;) {
      const segment = segments[segmentAt];
      const request = requests[requestAt];
      const turn = turns[turnAt];
      if (segment?.firstBlock === at && segment.firstRequest === requestAt && segment.firstTurn === turnAt) {
        const { reason, time, keeps } = segment;
        yield JSON.stringify({
          type: 'segment',
          ...withTime({ reason, ...(time === undefined ? {} : { time }), keeps }),
        });
        segmentAt += 1;
      } else if (request?.at === at && request.turn === turnAt - 1) {
        yield requestLine(request, hasMoreOutput(session, requestAt));
        requestAt += 1;
      } else if (turn?.firstBlock === at) {
        yield JSON.stringify(turn.continues ? { type: 'turn', continues: true } : { type: 'turn' });
        turnAt += 1;
      } else break;
    }
    if (at < blocks.length) yield JSON.stringify({ type: 'block', ...blocks[at] });
  }
  for (const branch of branches) yield JSON.stringify({ type: 'abandoned', ...withTime(branch) });
}

function requestLine({ at: _at, outputs, turn: _turn, ...fields }: Request, isPartly: boolean): string {
  return JSON.stringify({ type: 'request', ...withTime(fields), ...(isPartly ? { outputs } : {}) });
}

/** True if what stands directly behind a request's output would be taken for it, although another request wrote it. */
function hasMoreOutput({ blocks, turns, requests, segments }: Session, index: number): boolean {
  const { at, outputs } = requests[index] as Request;
  const end = at + outputs;
  const next = blocks[end];
  if (!next || !outputKinds.includes(next.kind)) return false;
  const starts = (firstBlock: number) => firstBlock === end;
  return (
    requests[index + 1]?.at !== end &&
    !turns.some(({ firstBlock }) => starts(firstBlock)) &&
    !segments.some(({ firstBlock }) => starts(firstBlock))
  );
}

function withTime<T extends { readonly time?: number }>(record: T) {
  return record.time === undefined ? record : { ...record, time: new Date(record.time).toISOString() };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** zod leaves optional keys out, but its types allow undefined; the model's do not. */
function withoutUndefined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
