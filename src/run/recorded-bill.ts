import { tierFor } from '../providers/index.ts';
import type { Split } from '../providers/provider.ts';
import type { ReplayObserver, Sent, Timeline, View } from '../replay/index.ts';
import { type LedgerLine, mergeLedgers } from '../results/index.ts';
import { promptTokens, type Session, type Usage } from '../session/index.ts';
import { tierOf } from './bill.ts';

/** Reads that differ by no more are the same: message framing differs by a token or two. */
const sameTokens = 2;

/**
 * What a recording was really billed, priced; undefined where the usage of any request was not recorded. Outputs are those of
 * the timeline: an answer that broke off was recorded with less than was billed.
 */
export function recordedLedger(session: Session, { models, requests }: Timeline): LedgerLine[] | undefined {
  const lines: LedgerLine[] = [];
  for (const [index, { usage }] of session.requests.entries()) {
    const card = models[requests.model[index] as number]?.card;
    if (!usage || !card) return undefined;
    const tier = card.tiers.indexOf(tierFor(card, promptTokens(usage)));
    lines.push({ ...tierOf(card, tier), usage: { ...usage, output: requests.output[index] as number } });
  }
  return mergeLedgers([lines]);
}

/** The same with the requests that led nowhere: what was paid for the session at these prices. */
export function recordedBill(
  session: Session,
  timeline: Timeline,
  abandoned: readonly LedgerLine[],
): LedgerLine[] | undefined {
  const ledger = recordedLedger(session, timeline);
  return ledger && mergeLedgers([ledger, abandoned]);
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
