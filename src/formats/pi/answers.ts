import { parseTime } from '../../bytes/index.ts';
import type { Block, Request } from '../../session/index.ts';
import { answerBlocks } from './content.ts';
import type { Entry, Note } from './entries.ts';
import { textOf } from './records.ts';
import { type Counted, readUsage } from './usage.ts';

/** One answer of a model, as its line tells it. */
export interface Answer {
  readonly counted: Counted | undefined;
  readonly model: string | undefined;
  /** When its request was sent, milliseconds since the epoch. */
  readonly start: number | undefined;
  readonly isFailed: boolean;
  /** The model had begun to answer. */
  readonly hasOutput: boolean;
  readonly blocks: readonly Block[];
  readonly request: Omit<Request, 'at' | 'outputs' | 'turn'>;
}

/** Reads an answer; `lastInput` is when the last input before it was written. */
export function readAnswer(entry: Entry, lastInput: number | undefined, note: Note): Answer {
  const { body, line } = entry;
  const counted = readUsage(body.usage, (kind, detail) => note(kind, line, detail));
  const model = textOf(body.model);
  const start = startOf(entry, lastInput);
  const blocks = answerBlocks(entry, counted?.reasoning ?? 0, note);
  const id = textOf(body.responseId);
  return {
    counted,
    model,
    start,
    isFailed: body.stopReason === 'aborted' || body.stopReason === 'error',
    hasOutput: blocks.length > 0,
    blocks,
    request: {
      ...(id !== undefined && { id }),
      ...(start !== undefined && { time: start }),
      ...(model !== undefined && { model }),
      ...(counted && { usage: counted.usage }),
    },
  };
}

/** The message holds the time at which its request was sent; its line is written when the answer is complete. */
function startOf({ body, time }: Entry, lastInput: number | undefined): number | undefined {
  const sent = parseTime(body.timestamp);
  if (sent === undefined) return lastInput ?? time;
  return time === undefined ? sent : Math.min(sent, time);
}
