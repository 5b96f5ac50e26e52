import type { SeenRequests } from '../format.ts';
import type { Response, ResponseLine } from './merge.ts';
import type { RawUsage } from './usage.ts';

/** What was put in between two lines that go by one id: nothing, results of tools, or words of a person. */
export type Parting = 'nothing' | 'result' | 'prompt';

/** Where a line stands to a response that goes by the same id. */
export interface Standing {
  /** No other response of that id came after it. */
  readonly isLast: boolean;
  readonly parting: Parting;
}

/** The longest that one response was seen to be written is nine minutes; without a request id, later lines are another's. */
const longestResponse = 30 * 60 * 1000;

/** A count up to this stands for one that was not known yet. */
const largestPlaceholder = 1;

/**
 * True if a line of the same id belongs to the response. An id alone proves nothing, because relays give all responses the
 * same one: usage has to agree as well, and where input stands in between (a tool may answer while the response is still
 * being written), it must be the same prompt.
 */
export function belongsTo(response: Response, { entry, usage }: ResponseLine, { isLast, parting }: Standing): boolean {
  const [a, b] = [response.requestId, entry.requestId];
  if (a !== undefined && b !== undefined && a !== b) return false;
  const isSameRequest = a !== undefined && a === b;
  const before = response.usage;
  if (isLast && parting === 'nothing') {
    if (!before || !usage) return true;
    return isSameRequest ? isGrown(before, usage) : isSamePrompt(before, usage) && isSoon(response, entry.time);
  }
  if (before && usage && !isSamePrompt(before, usage)) return false;
  if (isSameRequest || hasLineAt(response, entry.time)) return true;
  const isBesideResult = isLast && parting === 'result' && before !== undefined && usage !== undefined;
  return (
    isBesideResult &&
    promptOf(usage) > largestPlaceholder &&
    usage.output >= before.output &&
    isSoon(response, entry.time)
  );
}

function isGrown(a: RawUsage, b: RawUsage): boolean {
  const pairs = [...promptPairs(a, b), [a.output, b.output] as const];
  return pairs.every(([x, y]) => x <= y) || pairs.every(([x, y]) => x >= y);
}

/** Two states of one prompt: each count is the same, or was not known yet in one of them. */
function isSamePrompt(a: RawUsage, b: RawUsage): boolean {
  return promptPairs(a, b).every(([x, y]) => x === y || Math.min(x, y) <= largestPlaceholder);
}

function promptPairs(a: RawUsage, b: RawUsage) {
  return [[a.input, b.input] as const, [a.read, b.read] as const, [a.write, b.write] as const];
}

function promptOf({ input, read, write }: RawUsage): number {
  return input + read + write;
}

function isSoon({ lines }: Response, time: number | undefined): boolean {
  const last = lines.at(-1)?.entry.time;
  return last === undefined || time === undefined || Math.abs(time - last) <= longestResponse;
}

function hasLineAt({ lines }: Response, time: number | undefined): boolean {
  return time !== undefined && lines.some(({ entry }) => entry.time === time);
}

/**
 * Takes the response as billed here; false if it was billed before. A copy, in whatever file or lane, has the id and the
 * prompt of the original, and beside them its request id or the time of one of its lines; where times are missing, its output.
 */
export function claim(response: Response, seen: SeenRequests): boolean {
  const isNew = !isClaimed(response, seen);
  if (isNew) for (const key of keysOf(response).own) seen.add(key);
  return isNew;
}

/** True for a response that was billed before. */
export function isClaimed(response: Response, seen: SeenRequests): boolean {
  return keysOf(response).asked.some((key) => seen.has(key));
}

function keysOf({ id, requestId, first, lines, usage }: Response): { own: string[]; asked: string[] } {
  const name = id ?? requestId ?? first.uuid;
  // Nothing names it: no other line can be its copy.
  if (name === undefined) return { own: [], asked: [] };
  const sure: string[] = [];
  for (const line of lines) {
    const prompt = promptKey(line.usage ?? usage);
    if (id !== undefined && requestId !== undefined) sure.push(`request ${name} ${requestId} ${prompt}`);
    if (line.entry.time !== undefined) sure.push(`time ${name} ${line.entry.time} ${prompt}`);
  }
  const isTimed = lines.some(({ entry }) => entry.time !== undefined);
  const any = `usage ${name} ${promptKey(usage)} ${usage?.output}`;
  const timeless = `timeless ${any}`;
  return { own: [...sure, any, ...(isTimed ? [] : [timeless])], asked: [...sure, timeless, ...(isTimed ? [] : [any])] };
}

function promptKey(usage: RawUsage | undefined): string {
  return usage ? `${usage.input}/${usage.read}/${usage.write}` : '-';
}
