import type { Foretold } from '../analysis/index.ts';
import { policies } from '../policies/index.ts';
import { defaultCacheModel, planners, recordedPlanner } from '../providers/index.ts';
import type { PriceBook } from '../providers/provider.ts';
import { type LaneModel, layOut, replayLane } from '../replay/index.ts';
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
  const timeline = layOut(account, { resolve, ttl: 'recorded', conditions: foretold.conditions });
  const predicted: Usage[] = [];
  let before = 0;
  const provider = timeline.models[0]?.card.provider ?? '';
  const cacheModelOf = ({ card }: LaneModel) => defaultCacheModel(card.provider);
  const usesMarkers = timeline.models.some((model) => cacheModelOf(model).usesMarkers);
  replayLane(timeline, {
    createPolicy: () => policies.get('recorded').create({}),
    cacheModelOf,
    planner: session.agent === undefined ? planners.get('tail') : recordedPlanner(session.agent),
    ttl: 'recorded',
    outputReserve: 0,
    observer: {
      onRequest(view, _unchanged, split, request) {
        const recorded = session.requests[request]?.usage;
        // A session's first request has no earlier one to be predicted from.
        if (request === 0 && recorded) {
          predicted.push(recorded);
          before = view.tokens;
          return;
        }
        // A hit on the previous prompt's entry ends where that prompt's last marker really stood, which is known by now.
        const late = usesMarkers && split.read >= before ? lateFresh(session, foretold, request - 1) : 0;
        const warm = Math.min(foretold.conditions.warm[request] ?? 0, view.tokens);
        const step = foretold.readStep[request] ?? 1;
        const cached = Math.max(0, split.read - late);
        const read = Math.min(
          view.tokens,
          provider === 'openai' ? reported(Math.max(cached, warm), step, foretold.readOffset[request] ?? 0) : cached,
        );
        const written = split.write5m + split.write1h + split.read - read;
        predicted.push({
          fresh: split.fresh + (foretold.tailFresh[request] ?? 0),
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

/** OpenAI caches by the token, not by the block, and reports in steps, from 1,024 tokens on (providers.md §2). */
function reported(cached: number, step: number, offset: number): number {
  return cached < 1024 ? 0 : Math.max(0, Math.floor((cached - offset) / step) * step + offset);
}

/** How many more tokens stood behind the last marker of a past request than had been foretold. */
function lateFresh(session: Session, foretold: Foretold, request: number): number {
  const usage = session.requests[request]?.usage;
  return usage ? usage.fresh - (foretold.tailFresh[request] ?? 0) : 0;
}

/** The session with each prompt as one number; the foretold tail behind the last marker is no part of it. */
function withoutSplits(session: Session, { tailFresh, writesLong }: Foretold): Session {
  return {
    ...session,
    requests: session.requests.map((request, index) => {
      if (!request.usage) return request;
      const fresh = Math.max(0, promptTokens(request.usage) - (tailFresh[index] ?? 0));
      // How long an entry lives matters to later requests only, and to them it is known.
      const ttl = writesLong[index] ? 'cacheWrite1h' : 'cacheWrite5m';
      const usage = { fresh: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: request.usage.output };
      return { ...request, usage: { ...usage, [ttl]: fresh } };
    }),
  };
}
