import { expiryLagSeconds, type Foretold } from '../analysis/index.ts';
import { policies } from '../policies/index.ts';
import { cacheModels, defaultCacheModel, recordedPlanner } from '../providers/index.ts';
import { type PriceBook, ttlMilliseconds } from '../providers/provider.ts';
import { type LaneModel, layOut, nothingLost, replayLane } from '../replay/index.ts';
import { promptTokens, type Session, type Usage } from '../session/index.ts';
import { countSession, stripsThinking } from '../tokens/index.ts';

/**
 * Predicts how every request of a measured session was split. Of the recording it is given prompt sizes, outputs, times and
 * models, and what was foretold; the recorded splits are taken out before anything is counted.
 */
export function predictSession(session: Session, foretold: Foretold, prices: PriceBook): Usage[] {
  const blind = withoutSplits(session, foretold);
  const account = countSession(blind, undefined, foretold.systemTokens);
  const date = session.requests.find(({ time }) => time !== undefined)?.time;
  const resolve = (model: string | undefined): LaneModel => {
    const name = model ?? '';
    return { name, card: prices.card(name, date), limits: undefined, stripsThinking: stripsThinking(name) };
  };
  const conditions = {
    warm: foretold.warm,
    unseen: foretold.unseen,
    lastKept: Int32Array.from(foretold.kept, (tokens) =>
      Number.isNaN(tokens) ? nothingLost : lastBlockWithin(account.blocks, tokens),
    ),
  };
  const timeline = layOut(account, { resolve, ttl: 'recorded', conditions });
  const predicted: Usage[] = [];
  let before = 0;
  // Where a provider caches by itself, steps and lifetimes are foretold from the recording, not taken from its rules.
  const cacheModelOf = ({ card }: LaneModel) =>
    card.provider === 'anthropic' ? defaultCacheModel(card) : cacheModels.get('ideal');
  const sentTo = timeline.models.map((model) => ({
    provider: model.card.provider,
    usesMarkers: cacheModelOf(model).rulesFor(model.card).usesMarkers,
    // Behind a change nothing shows where entries stand: OpenAI's newer models have them at ends of messages only.
    hasEntriesAtEnds:
      model.card.provider === 'openai' && defaultCacheModel(model.card).rulesFor(model.card).usesMarkers,
  }));
  /** Tokens of the prompts so far: an entry ends where each of them did. */
  const sentEnds: number[] = [];
  replayLane(timeline, {
    createPolicy: () => policies.get('recorded').create({}),
    cacheModelOf,
    planner: recordedPlanner(session),
    ttl: 'recorded',
    outputReserve: 0,
    observer: {
      onRequest(view, unchanged, split, request) {
        const recorded = session.requests[request]?.usage;
        const standing = unchanged === 0 ? 0 : (view.ends[unchanged - 1] as number);
        const lastEnd = sentEnds.findLast((end) => end <= standing) ?? 0;
        const isChanged = standing < (sentEnds.at(-1) ?? 0);
        sentEnds.push(view.tokens);
        // A session's first request has no earlier one to be predicted from.
        if (request === 0 && recorded) {
          predicted.push(recorded);
          before = view.tokens;
          return;
        }
        const to = sentTo[timeline.requests.model[request] as number] as (typeof sentTo)[number];
        const { provider, usesMarkers, hasEntriesAtEnds } = to;
        // A hit on the previous prompt's entry ends where that prompt's last marker really stood, which is known by now.
        const late = usesMarkers && split.read >= before ? lateFresh(session, foretold, request - 1) : 0;
        const warm = Math.min(foretold.warm[request] ?? 0, view.tokens);
        const step = foretold.readStep[request] ?? 1;
        const reached = isChanged && hasEntriesAtEnds ? Math.min(split.read, lastEnd) : split.read;
        const cached = Math.max(0, reached - late);
        const read = Math.min(
          view.tokens,
          provider === 'openai' ? reported(Math.max(cached, warm), step, foretold.readOffset[request] ?? 0) : cached,
        );
        const sent = split.write5m + split.write1h + split.read - read;
        const written = foretold.showsWrites[request] ? sent : 0;
        predicted.push({
          fresh: split.fresh + (foretold.tailFresh[request] ?? 0) + sent - written,
          cacheRead: read,
          cacheWrite5m: foretold.longTtl[request] ? 0 : written,
          cacheWrite1h: foretold.longTtl[request] ? written : 0,
          output: recorded?.output ?? 0,
        });
        before = view.tokens;
      },
    },
  });
  return predicted;
}

/** The last of the leading blocks that end within so many tokens; -1 if the first does not. */
function lastBlockWithin(blocks: Int32Array, tokens: number): number {
  let sum = 0;
  const beyond = blocks.findIndex((block) => {
    sum += block;
    return sum > tokens;
  });
  return (beyond === -1 ? blocks.length : beyond) - 1;
}

/** OpenAI caches by the token, not by the block, and reports in steps, from 1,024 tokens on (providers.md §2). */
function reported(cached: number, step: number, offset: number): number {
  return cached < 1024 ? 0 : Math.max(0, Math.floor((cached - offset) / step) * step + offset);
}

/** How many more tokens stood behind the last marker of a past request than had been foretold. */
function lateFresh(session: Session, foretold: Foretold, request: number): number {
  const usage = session.requests[request]?.usage;
  return usage ? usage.fresh - (foretold.tailFresh[request] ?? 0) : 0;
}

/** Start times under which an entry dies by its lifetime when it died in fact: a pause longer by no more than the lag counts as shorter. */
function timesWithoutLag({ requests }: Session, writesLong: Uint8Array): (number | undefined)[] {
  let taken = 0;
  return requests.map(({ time }, index) => {
    const before = requests[index - 1]?.time;
    if (time === undefined) return undefined;
    if (before !== undefined) {
      const beyond = time - before - ttlMilliseconds[writesLong[index - 1] ? '1h' : '5m'];
      if (beyond > 0 && beyond <= expiryLagSeconds * 1000) taken += beyond;
    }
    return time - taken;
  });
}

/** The session with each prompt as one number; the foretold tail behind the last marker is no part of it. */
function withoutSplits(session: Session, { tailFresh, writesLong }: Foretold): Session {
  const times = timesWithoutLag(session, writesLong);
  return {
    ...session,
    requests: session.requests.map((recorded, index) => {
      const time = times[index];
      const request = time === undefined ? recorded : { ...recorded, time };
      if (!request.usage) return request;
      const fresh = Math.max(0, promptTokens(request.usage) - (tailFresh[index] ?? 0));
      // How long an entry lives matters to later requests only, and to them it is known.
      const ttl = writesLong[index] ? 'cacheWrite1h' : 'cacheWrite5m';
      const usage = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: request.usage.output };
      return { ...request, usage: { ...usage, [ttl]: fresh } };
    }),
  };
}
