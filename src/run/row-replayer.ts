import { BillAttribution, type LaterUses, laterUses, RefetchRisk } from '../analysis/index.ts';
import type { PolicySpec } from '../policies/index.ts';
import type { BreakpointPlanner } from '../providers/provider.ts';
import {
  type LedgerEntry,
  type ReplayObserver,
  type ReplayOptions,
  replayLane,
  SpendSplit,
  type Timeline,
  together,
} from '../replay/index.ts';
import {
  costOf,
  type Foresight,
  type LedgerLine,
  mergeLedgers,
  type RowOutcome,
  type SessionOutcome,
} from '../results/index.ts';
import type { Session } from '../session/index.ts';
import { explainedBill, refetchCharge, refetchOutcome, rowOutcome, withRefetches } from './bill.ts';
import { checkedReplay } from './checked-replay.ts';
import { policyMaker } from './foresight.ts';
import { LastRequest, withLifetimes } from './lifetimes.ts';
import { asRecorded, recordedLedger } from './recorded-bill.ts';

/** What is asked of every row besides its bill. */
export interface RowOptions {
  /** Bill the row `recorded` by recorded usage where every request has it: the real bill, not a replay of it. */
  readonly billRecorded?: boolean | undefined;
  /** How often a result at risk is read again, on average; charged in every row. */
  readonly refetchRate?: number | undefined;
  /** Replay every row once more for each of these multiples of the lifetime of cache entries. */
  readonly lifetimeMultiples?: readonly number[] | undefined;
  /** Say of every row what its bill paid for: in parts, or request by request as well. */
  readonly explain?: 'parts' | 'requests' | undefined;
}

/** One row under the best markers, and under those of the recorded harness. */
export type RowPair = SessionOutcome['rows'][number];

/** A session that is ready to be replayed, and how. */
interface RowContext {
  /** The session as it was recorded. */
  readonly measured: Session;
  readonly timeline: Timeline;
  readonly abandoned: readonly LedgerLine[];
  readonly options: RowOptions;
  /** Planners of which each row takes the cheapest. */
  readonly best: readonly [BreakpointPlanner, ...BreakpointPlanner[]];
  readonly recorded: BreakpointPlanner | undefined;
  readonly lane: Omit<ReplayOptions, 'createPolicy' | 'observer' | 'planner'>;
}

/** Replays the rows of one session, each with what is to be watched on the way. */
export class RowReplayer {
  /** What the baseline's bill paid for. */
  readonly split: SpendSplit;
  /** The baseline's usage; empty before it was replayed. */
  baseline: readonly LedgerEntry[] = [];
  readonly #context: RowContext;
  readonly #uses: LaterUses;

  constructor(context: RowContext) {
    this.#context = context;
    this.split = new SpendSplit(context.timeline);
    this.#uses = laterUses(context.timeline.session);
  }

  replayBaseline(row: PolicySpec): RowPair {
    const { pair, ledger } = this.#replay(row, [this.split]);
    this.baseline = ledger;
    return pair;
  }

  replay(row: PolicySpec): RowPair {
    return this.#replay(row, []).pair;
  }

  #replay(row: PolicySpec, watching: readonly ReplayObserver[]) {
    const { timeline, abandoned, options, recorded } = this.#context;
    const best = this.#cheapestPlanner(row);
    const attribution = options.explain && new BillAttribution(timeline, options.explain === 'requests');
    // What the recording took out it also lived without.
    const risk = row.kind.name === 'recorded' ? undefined : new RefetchRisk(timeline, this.#uses);
    const ends = options.lifetimeMultiples && new LastRequest(timeline);
    const isBilled = options.billRecorded && row.kind.name === 'recorded';
    const billed = isBilled ? recordedLedger(this.#context.measured, timeline) : undefined;
    const watched = attribution && billed ? asRecorded(this.#context.measured, attribution) : attribution;
    const watchers = [...watching, watched, risk, ends].filter((observer) => observer !== undefined);
    const { replay, outcome } = this.#under(best, row, watchers);
    const paid = billed && { ledger: mergeLedgers([billed, abandoned]), isRecorded: true as const };
    const refetch = risk && refetchOutcome(risk);
    const charge = (replayed: RowOutcome) => withRefetches(replayed, refetch, options.refetchRate ?? 0);
    const pair: RowPair = {
      best: {
        ...charge(outcome),
        ...(refetch && { refetch }),
        ...(ends && { even: { ...ends.found(), atLifetimes: this.#atLifetimes(row, best) } }),
        ...(attribution &&
          explainedBill(attribution, replay, abandoned, refetchCharge(refetch, options.refetchRate ?? 0))),
        ...paid,
      },
      recorded: recorded && charge(this.#under(recorded, row, []).outcome),
    };
    return { pair, ledger: replay.ledger };
  }

  #cheapestPlanner(row: PolicySpec): BreakpointPlanner {
    const [first, ...others] = this.#context.best;
    let cheapest = first;
    if (others.length === 0) return first;
    let least = costOf(this.#under(first, row, []).outcome.ledger).total;
    for (const planner of others) {
      const { total } = costOf(this.#under(planner, row, []).outcome.ledger);
      if (total >= least) continue;
      cheapest = planner;
      least = total;
    }
    return cheapest;
  }

  #under(
    planner: BreakpointPlanner,
    row: PolicySpec,
    watchers: readonly ReplayObserver[],
    timeline = this.#context.timeline,
  ) {
    const { lane, abandoned } = this.#context;
    const { createPolicy, foresight } = policyMaker(row, timeline, { ...lane, planner });
    const replay = checkedReplay(row.kind, timeline.session.id, (isFirst) =>
      replayLane(timeline, {
        ...lane,
        planner,
        createPolicy,
        observer: isFirst && watchers.length > 0 ? together(watchers) : undefined,
      }),
    );
    const outcome: RowOutcome = {
      ...rowOutcome(replay, abandoned),
      ...(foresight && { foresight: withBill(foresight, abandoned) }),
    };
    return { replay, outcome };
  }

  #atLifetimes(row: PolicySpec, best: BreakpointPlanner): (readonly LedgerLine[])[] {
    const { options, timeline } = this.#context;
    // A schedule made in hindsight would have been another one.
    if (row.kind.createScheduled) return [];
    return (options.lifetimeMultiples ?? []).map(
      (multiple) => this.#under(best, row, [], withLifetimes(timeline, multiple)).outcome.ledger,
    );
  }
}

/** Requests of rewound branches are billed whatever the policy. */
function withBill({ isExact, leastUsd }: Foresight, abandoned: readonly LedgerLine[]): Foresight {
  return { isExact, leastUsd: leastUsd === undefined ? undefined : leastUsd + costOf(abandoned).total };
}
