import type { CacheModel } from '../providers/provider.ts';
import { nothingLost, type Timeline } from '../replay/index.ts';
import { type RequestCosts, ratesOf, replaySchedule, type Scheduled, tierOf } from './schedule-costs.ts';

/** The cheapest schedule that was found. */
export interface FoundSchedule {
  /** Per segment, the turns at whose start all older results are cut. */
  readonly acts: readonly (readonly number[])[];
  /** The bill of its requests, US dollars. */
  readonly usd: number;
  /** False where the bill of a stretch may depend on more than its last cut: then a cheaper schedule may exist. */
  readonly isExact: boolean;
}

/** A turn start at which results of earlier turns stand. */
interface Start {
  readonly turn: number;
  readonly request: number;
}

/** The cheapest way to have cut last at one turn start, replayed as if nothing were cut behind it. */
interface Lane {
  readonly acts: readonly number[];
  readonly costs: RequestCosts;
  readonly unsendable: number;
  /** Most tokens that the first request after the next cut can read; unknown until one was tried. */
  mostRead: number;
}

/**
 * Cache models whose bill depends on more than the last prompt and its marked prefixes: units that part, room that runs out,
 * contents that are paid for by the hour.
 */
const forgetful = /^(deepseek|gemini-explicit|sglang|vllm)/;

/**
 * Finds the schedule of cuts with the smallest bill, by dynamic programming over turn starts. A cut at turn t leaves one view,
 * whatever was cut before: every older result is a stub. So what comes after the first request behind it depends on t alone,
 * and of all ways to have cut last at t only the cheapest, that request included, needs to be kept. Each is a real replay, so
 * the bill is that of the engine, tiers, models and outside events included.
 *
 * Exact as long as the cache knows nothing of the prompts before the cut that a later request could find: prefix caches with
 * one model, and markers with one model, one lifetime and no eviction in the middle of the conversation.
 */
export function cheapestSchedule(scheduled: Scheduled): FoundSchedule {
  const { timeline } = scheduled;
  const acts: (readonly number[])[] = [];
  let usd = 0;
  let unsendable = 0;
  timeline.segments.forEach((_, segment) => {
    const best = cheapestInSegment(scheduled, acts, segment);
    acts.push(best.acts);
    ({ usd, unsendable } = best);
  });
  return { acts, usd: usd / 1e6, isExact: unsendable === 0 && isExactFor(scheduled) };
}

function cheapestInSegment(scheduled: Scheduled, before: readonly (readonly number[])[], segment: number) {
  const { timeline } = scheduled;
  const segments = timeline.segments.slice(0, segment + 1);
  // The first request of the next segment may read what this one leaves in the cache.
  const next = timeline.segments[segment + 1];
  if (next) segments.push({ ...next, endRequest: Math.min(next.endRequest, next.firstRequest + 1) });
  const run = (acts: readonly number[]): Lane => {
    const { costs, replay } = replaySchedule(scheduled, segments, (at) => before[at] ?? (at === segment ? acts : []));
    return { acts, costs, unsendable: replay.unsendable, mostRead: Number.POSITIVE_INFINITY };
  };
  const starts = turnStarts(timeline, segment);
  const lanes = [run([])];
  for (const start of starts) lanes.push(cheapestInto(start, lanes, timeline, run));
  lanes.push(run(starts.map(({ turn }) => turn)));
  const end = segments.at(-1)?.endRequest ?? 0;
  const usdOf = ({ costs }: Lane) => costs.before[end] as number;
  const best = lanes.reduce((least, lane) =>
    (lane.unsendable - least.unsendable || usdOf(lane) - usdOf(least)) < 0 ? lane : least,
  );
  return { acts: best.acts, usd: usdOf(best), unsendable: best.unsendable };
}

/** Tries a cut at `start` after each of the earlier ones, the latest first; what cannot be cheaper is not replayed. */
function cheapestInto(
  { turn, request }: Start,
  lanes: readonly Lane[],
  timeline: Timeline,
  run: (acts: readonly number[]) => Lane,
): Lane {
  let best: Lane | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const lane of [...lanes].reverse()) {
    if (best && leastAfterCut(lane, best.costs, request, timeline) >= least) continue;
    const tried = run([...lane.acts, turn]);
    // Where the cut found something, the next one changes the same block first.
    if (tried.costs.prompt[request] !== lane.costs.prompt[request]) lane.mostRead = tried.costs.kept[request] as number;
    const usd = tried.costs.before[request + 1] as number;
    if (usd < least) {
      least = usd;
      best = tried;
    }
  }
  if (!best) throw new Error('there is always the lane that was never cut');
  return best;
}

/**
 * No cut of this lane at `request` can bring the bill below this. All cuts there leave the same prompt, that of `cut`; and
 * until then a lane that is about to be cut reads no more than this one, whose markers stay with the tail.
 */
function leastAfterCut(lane: Lane, cut: RequestCosts, request: number, timeline: Timeline): number {
  const prompt = cut.prompt[request] as number;
  const warm = timeline.conditions?.warm?.[request] ?? 0;
  const read = Math.min(prompt, Math.max(lane.mostRead, warm));
  const rates = ratesOf(timeline, request, tierOf(timeline, request, prompt));
  const unread = Math.min(rates.fresh, rates.cacheWrite5m, rates.cacheWrite1h);
  const output = (timeline.requests.output[request] as number) * rates.output;
  return (
    (lane.costs.before[request] as number) +
    read * Math.min(rates.cacheRead, unread) +
    (prompt - read) * unread +
    output
  );
}

/** Where turns of a segment start; before its first turn there is nothing to cut. A fork may have no request in that. */
function turnStarts({ segments, requests }: Timeline, segment: number): Start[] {
  const { firstRequest = 0, endRequest = 0 } = segments[segment] ?? {};
  const starts: Start[] = [];
  let current = 0;
  for (let request = firstRequest; request < endRequest; request += 1) {
    const turn = requests.turn[request] as number;
    if (turn !== current && turn > 1) starts.push({ turn, request });
    current = turn;
  }
  return starts;
}

function isExactFor({ timeline, options }: Scheduled): boolean {
  const caches = timeline.models.map((model) => options.cacheModelOf(model));
  if (caches.length > 1 || caches.some(({ name }) => forgetful.test(name)) || keepsResults(timeline)) return false;
  return !caches.some((cache, model) => usesMarkers(cache, timeline, model)) || knowsOneLifetime(timeline);
}

function usesMarkers(cache: CacheModel, { models }: Timeline, model: number): boolean {
  const card = models[model]?.card;
  return card !== undefined && cache.rulesFor(card).usesMarkers;
}

/** One lifetime, and nothing lost behind the opening: then an older entry never outlives a newer one. */
function knowsOneLifetime({ requests, conditions, segments }: Timeline): boolean {
  const isMixed = requests.longTtl.some((long) => long !== requests.longTtl[0]);
  const firstPrompt = segments[0]?.turnStarts[1] ?? 0;
  return !isMixed && !conditions?.lastKept?.some((last) => last !== nothingLost && last >= firstPrompt);
}

/** A reset that keeps the beginning of the conversation, results and all, may find again what was cached before they were cut. */
function keepsResults({ segments, session }: Timeline): boolean {
  return segments.some(({ keeps }) => keeps.some((id, at) => id === at && session.blocks[id]?.kind === 'result'));
}
