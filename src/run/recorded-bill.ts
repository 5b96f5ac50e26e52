import { tierFor } from '../providers/index.ts';
import type { Split } from '../providers/provider.ts';
import type { ReplayObserver, Sent, Timeline, View } from '../replay/index.ts';
import { type LedgerLine, mergeLedgers } from '../results/index.ts';
import { promptTokens, type Session, type Usage, zeroUsage } from '../session/index.ts';
import { tierOf } from './bill.ts';

/** Reads that differ by no more are the same: message framing differs by a token or two. */
const sameTokens = 2;

/** What a recording was billed, priced: what it counts, and apart from that what it is known not to count. */
interface RecordedBill {
  readonly counted: LedgerLine[];
  /** Output beyond the recorded count: of answers that broke off, or whose count is a placeholder. */
  readonly estimated: LedgerLine[];
}

/** The requests of a recording as they were billed; undefined where the usage of any of them was not recorded. */
function recordedRequests(session: Session, { cards, requests }: Timeline): RecordedBill | undefined {
  const counted: LedgerLine[] = [];
  const estimated: LedgerLine[] = [];
  for (const [index, { usage }] of session.requests.entries()) {
    const card = cards[requests.card[index] as number];
    if (!usage || !card) return undefined;
    const rates = tierOf(card, card.tiers.indexOf(tierFor(card, promptTokens(usage))));
    const output = Math.min(usage.output, requests.output[index] as number);
    counted.push({ ...rates, usage: { ...usage, output } });
    estimated.push({ ...rates, usage: { ...zeroUsage, output: (requests.output[index] as number) - output } });
  }
  return { counted, estimated };
}

/** The requests of a recording at the usage that was recorded, with the output that every row has. */
export function recordedLedger(session: Session, timeline: Timeline): LedgerLine[] | undefined {
  const bill = recordedRequests(session, timeline);
  return bill && mergeLedgers([bill.counted, bill.estimated]);
}

/** What was paid for the session at these prices, with the requests that led nowhere; what rests on an estimate stands apart. */
export function recordedBill(
  session: Session,
  timeline: Timeline,
  abandoned: readonly LedgerLine[],
): RecordedBill | undefined {
  const bill = recordedRequests(session, timeline);
  if (!bill) return undefined;
  const estimated = bill.estimated.filter(({ usage }) => usage.output > 0);
  return { counted: mergeLedgers([bill.counted, abandoned]), estimated: mergeLedgers([estimated]) };
}

/**
 * Shows an observer every request as it was recorded to be split, where the replay laid out a prompt of the same size: the
 * causes are then those of the real bill. What was read less than by the rules counts as lost.
 */
export function asRecorded(session: Session, observer: ReplayObserver): ReplayObserver {
  return {
    onSegment: () => observer.onSegment?.(),
    onEdits: (...of) => observer.onEdits?.(...of),
    onCall: (...of) => observer.onCall?.(...of),
    onRequest(view, unchanged, split, request, tier, sent) {
      const usage = session.requests[request]?.usage;
      if (!usage || promptTokens(usage) !== view.tokens) {
        observer.onRequest(view, unchanged, split, request, tier, sent);
        return;
      }
      const lost = usage.cacheRead < split.read - sameTokens ? keptOf(view, usage, sent) : sent;
      observer.onRequest(view, unchanged, splitOf(usage), request, tier, lost);
    },
  };
}

function splitOf({ cacheRead: read, cacheWrite5m: write5m, cacheWrite1h: write1h, fresh }: Usage): Split {
  return { read, write5m, write1h, fresh };
}

function keptOf(view: View, { cacheRead }: Usage, sent: Sent): Sent {
  let kept = 0;
  while (kept < sent.kept && (view.ends[kept] as number) <= cacheRead + sameTokens) kept += 1;
  return { ...sent, kept };
}
