import type { BlockId } from '../policies/plan.ts';
import type { BreakpointPlanner, CacheModel, RateCard, TtlClass } from '../providers/provider.ts';
import type { LaneModel } from './timeline.ts';

/** How the lane's requests reach a cache. */
export interface CacheOptions {
  cacheModelOf(model: LaneModel): CacheModel;
  readonly planner: BreakpointPlanner;
  readonly ttl: TtlClass | 'recorded';
  /** Share of a read that is expected to be lost after so many milliseconds; what is lost is sent anew. */
  readonly expectedLoss?: ((provider: string, idleMilliseconds: number, ttl: TtlClass) => number) | undefined;
}

/** An extra call over the live view. */
export interface SharedCall {
  /** Index of its model. */
  readonly model: number;
  /** What it is billed by. */
  readonly card: RateCard;
  /** The request that comes next. */
  readonly request: number;
  /** Milliseconds since the epoch, NaN where unknown. */
  readonly time: number;
  /** Tokens behind the live view. */
  readonly input: number;
  readonly stable: BlockId;
  readonly systemEnd: number;
}
