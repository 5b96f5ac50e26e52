import type { Iteration, RawUsage } from './usage.ts';

/** What the passes of one response come to. */
export interface Passes {
  /** The pass whose context the next request builds on, with the output of all that the top level counts. */
  readonly request: RawUsage;
  /** Passes before it that the top level counts too: their output is that of the request. */
  readonly earlier: readonly Iteration[];
  /** Passes that are billed apart from the top level. */
  readonly beside: readonly Iteration[];
}

/**
 * Tells which passes the top level of a usage counts. With a server-side tool that is all of the conversation's; where a model
 * refused and another took over, the one that served, or the sum of all. Undefined where no choice of passes adds up to it.
 */
export function explainPasses(raw: RawUsage): Passes | undefined {
  const talk = raw.iterations.filter(isTalk);
  const fallback = talk.findIndex(({ kind }) => kind === 'fallback_message');
  const serving = talk.slice(Math.max(0, fallback));
  const choices = [serving, serving.slice(-1), talk];
  const counted = raw.iterations.length > 1 ? choices.find((passes) => sameTotals(sum(passes), raw)) : undefined;
  // The recorded sum may hold the passes beside the conversation as well: they must not be billed twice.
  const chosen = counted ?? (raw.iterations.length > 1 && sameTotals(sum(raw.iterations), raw) ? talk : undefined);
  const last = chosen?.at(-1);
  if (!chosen || !last) return undefined;
  // What another model wrote has that one's price.
  const own = chosen.filter(({ model }) => model === undefined || last.model === undefined || model === last.model);
  const others = talk.filter((pass) => !own.includes(pass) && (chosen.includes(pass) || isBilled(pass)));
  return {
    // Each pass knows its own split; the top level repeats that of one pass only.
    request: { ...last.usage, output: own.reduce((output, { usage }) => output + usage.output, 0) },
    earlier: own.slice(0, -1),
    beside: [...others, ...besideOf(raw)],
  };
}

/** Passes of another kind than the conversation, which the top level never counts: an advisor, a compaction. */
export function besideOf({ iterations }: RawUsage): Iteration[] {
  return iterations.filter((pass) => !isTalk(pass));
}

/** An attempt that was refused before it wrote anything is free. */
function isBilled({ usage }: Iteration): boolean {
  return usage.output > 0;
}

function isTalk({ kind }: Iteration): boolean {
  return kind === 'message' || kind === 'fallback_message';
}

function sum(passes: readonly Iteration[]): RawUsage | undefined {
  const [first, ...rest] = passes.map(({ usage }) => usage);
  return rest.reduce((a, b) => a && add(a, b), first);
}

function add(a: RawUsage, b: RawUsage): RawUsage {
  return {
    ...a,
    input: a.input + b.input,
    output: a.output + b.output,
    read: a.read + b.read,
    write: a.write + b.write,
    write5m: a.write5m + b.write5m,
    write1h: a.write1h + b.write1h,
  };
}

function sameTotals(a: RawUsage | undefined, b: RawUsage): boolean {
  return a !== undefined && a.input === b.input && a.read === b.read && a.write === b.write && a.output === b.output;
}
