import type { Verdict } from '../results/result.ts';
import type { Interval } from './interval.ts';

/** A smaller saving or loss is not worth a decision (architecture.md, "Saving, confidence, verdict"). */
const smallest = 0.01;

/** An interval inside ± this much says that there is no difference worth a decision (same place). */
const negligible = 0.02;

/** A saving below this is the rounding of a sum. */
const sameBill = 1e-12;

/** What a verdict rests on. */
export interface Evidence {
  /** Pooled saving, a fraction; null where nothing compares. */
  readonly saving: number | null;
  /** 95 % interval; null with fewer than five independent sessions. */
  readonly ci95: Readonly<Interval> | null;
  /** Sessions that could be sent under the row and under the baseline. */
  readonly compared: number;
  /** Of these, sessions in which the policy changed nothing. */
  readonly neverFired: number;
  /** Sessions that have what the policies need. */
  readonly applicable: number;
  /** Of these, sessions that the row itself could not send. */
  readonly unsendable: number;
  /** Sessions that could be sent and in which nothing has a price. */
  readonly unpriced: number;
}

/** The verdict of a row; without an interval the point estimate decides and the row says "few". */
export function verdictOf({ saving, ci95, compared, neverFired, applicable, unsendable, unpriced }: Evidence): Verdict {
  if (applicable === 0) return 'not applicable';
  if (compared === 0 && unpriced > 0) return 'unpriced';
  // What was sent under the row has nothing to be measured against.
  if (compared === 0) return unsendable < applicable ? 'no baseline' : 'unsendable';
  if (neverFired >= compared && (saving === null || Math.abs(saving) < sameBill)) return 'never fired';
  if (saving === null) return 'unclear';
  return ci95 === null ? verdictOfPoint(saving) : verdictOfInterval(saving, ci95);
}

function verdictOfPoint(saving: number): Verdict {
  if (Math.abs(saving) < smallest) return 'breaks even';
  return saving > 0 ? 'saves' : 'costs more';
}

function verdictOfInterval(saving: number, [low, high]: Readonly<Interval>): Verdict {
  const holdsZero = low <= 0 && high >= 0;
  const isLarge = Math.abs(saving) >= smallest;
  if (isLarge && !holdsZero) return low > 0 ? 'saves' : 'costs more';
  return low >= -negligible && high <= negligible ? 'breaks even' : 'unclear';
}
