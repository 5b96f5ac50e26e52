import { type Block, promptTokens, type Session, type SessionFacts } from '../../session/index.ts';
import { usageWithin } from '../unread-usage.ts';
import { type Answer, readAnswer } from './answers.ts';
import { inputBlock } from './content.ts';
import { ContextWriter } from './context.ts';
import type { Copies } from './copies.ts';
import { type Entry, type Note, noteUsage } from './entries.ts';
import { recordOf, recordsOf, textOf } from './records.ts';
import type { Header } from './sections.ts';
import { readUsage } from './usage.ts';

/** What the assembly of a session needs to know of the rest. */
export interface Surroundings {
  readonly header: Header;
  readonly copies: Copies;
  readonly note: Note;
}

/** Walks the lines of a session in the order of the file and builds its log. */
export class Assembly {
  /** Model of the first answer. */
  model: string | undefined;
  readonly #writer = new ContextWriter();
  readonly #entries: readonly Entry[];
  readonly #path: ReadonlySet<Entry>;
  readonly #around: Surroundings;
  /** Lines of the calls that have no result yet. */
  readonly #open = new Map<string, number>();
  #lastInput: number | undefined;
  /** Lines of input so far, on whatever branch. */
  #inputs = 0;
  /** The model that the last answer or a change of it named. */
  #current: string | undefined;
  #lastPrompt: { readonly tokens: number; readonly model: string | undefined } | undefined;

  constructor(entries: readonly Entry[], path: ReadonlySet<Entry>, around: Surroundings) {
    this.#entries = entries;
    this.#path = path;
    this.#around = around;
  }

  run(): void {
    for (const entry of this.#entries) {
      this.#current = modelSince(entry) ?? this.#current;
      if (entry.kind === 'answer') this.#answer(entry);
      else this.#otherLine(entry);
    }
    for (const line of this.#open.values()) this.#around.note('unanswered-call', line);
  }

  /** Requests of this session's own, those of branches that were left included. */
  get requestCount(): number {
    return this.#writer.requestCount;
  }

  build(facts: SessionFacts): Session {
    return this.#writer.build(facts);
  }

  #otherLine(entry: Entry): void {
    if (entry.kind !== 'link') this.#inputs += 1;
    if (isSummary(entry)) this.#summaryRequest(entry);
    if (entry.kind === 'result') this.#nestedUsage(entry);
    if (this.#path.has(entry)) this.#input(entry);
  }

  #input(entry: Entry): void {
    const block = inputBlock(entry, this.#around.note);
    if (!block) return;
    if (entry.kind === 'system' && !this.#writer.isEmpty) {
      this.#around.note('late-system-prompt', entry.line);
      return;
    }
    if (entry.kind === 'compaction') this.#compact(entry, block);
    else this.#append(entry, block);
    this.#lastInput = entry.time ?? this.#lastInput;
  }

  #append(entry: Entry, block: Block): void {
    if (entry.kind === 'prompt') this.#writer.turn(this.#isFromAgent(entry));
    if (block.kind === 'result') this.#result(block, entry);
    this.#writer.append(entry, block);
  }

  /** The task of a sub-agent comes from the session that started it, not from a person. */
  #isFromAgent({ body }: Entry): boolean {
    return this.#around.header.isSubAgent || body.attribution === 'agent';
  }

  #result({ callId }: Block, { line }: Entry): void {
    const { note } = this.#around;
    if (callId === undefined || !this.#writer.hasCall(callId)) note('orphan-result', line);
    else this.#open.delete(callId);
  }

  /** A tool that runs agents without sessions of their own leaves their usage only with its result. */
  #nestedUsage({ line, body, time }: Entry): void {
    const { note, copies } = this.#around;
    if (copies.isFromParent(time)) return;
    const { results, usage } = recordOf(body.details);
    const nested = [{ usage: body.usage }, { usage }, ...recordsOf(results)].filter((it) => it.usage ?? false);
    for (const it of nested) note('nested-usage', line, '', usageWithin(it));
  }

  /** A summary was written by a request of its own, on a branch that was left, too; older versions did not count it. */
  #summaryRequest(entry: Entry): void {
    const { note, copies } = this.#around;
    const { kind, body, line, time } = entry;
    const counted = readUsage(body.usage, (odd, detail) => note(odd, line, detail));
    if (!counted) {
      if (copies.isFromParent(time)) return;
      noteUsage(body, line, kind, note);
      note('compaction-request-not-recorded', line, kind === 'summary' ? 'of a branch' : '');
      return;
    }
    const copy = copies.summaryCopyOf(entry, counted.usage, this.#inputs);
    const model = textOf(body.model) ?? this.#current;
    if (copy !== undefined) note('copied-request', line, copy);
    else if (model === undefined) note('no-model', line);
    if (copy !== undefined) return;
    this.#writer.abandoned({
      ...(model !== undefined && { model }),
      ...(time !== undefined && { time }),
      usage: counted.usage,
    });
  }

  #compact(entry: Entry, summary: Block): void {
    const { note } = this.#around;
    const first = this.#firstKept(entry);
    if (first === undefined) note('unknown-kept-entry', entry.line);
    this.#writer.compact(summary, first);
    this.#lastPrompt = undefined;
  }

  /** The line from which on a compaction kept the context; the oldest files count lines in place of naming one. */
  #firstKept({ body }: Entry): Entry | undefined {
    const { firstKeptEntryId: id, firstKeptEntryIndex: place } = body;
    return this.#entries.find(
      (it) => this.#path.has(it) && (typeof id === 'string' ? it.id === id : it.place === place),
    );
  }

  #answer(entry: Entry): void {
    const answer = readAnswer(entry, this.#lastInput, this.#around.note);
    const copy = this.#around.copies.copyOf(answer, entry, this.#inputs);
    if (!isServed(answer)) {
      if (copy === undefined) this.#around.note('request-without-usage', entry.line, 'no answer began');
      return;
    }
    this.model ??= answer.model;
    if (copy !== undefined) this.#around.note('copied-request', entry.line, copy);
    else if (answer.model === undefined) this.#around.note('no-model', entry.line);
    if (this.#path.has(entry)) this.#write(answer, entry, copy === undefined);
    else if (copy === undefined) this.#abandon(answer, entry);
  }

  #write(answer: Answer, entry: Entry, isOwn: boolean): void {
    const { counted, model } = answer;
    if (isOwn && counted) this.#watchPrompt(promptTokens(counted.usage), model, entry.line);
    if (isOwn && !counted) {
      this.#around.note('usage-missing', entry.line);
      if (recordOf(entry.body.usage).input === undefined)
        noteUsage(entry.body.usage, entry.line, 'assistant', this.#around.note);
    }
    const kept = this.#kept(answer);
    const discarded = answer.blocks.filter((block) => !kept.includes(block));
    const request = { ...answer.request, ...(discarded.length > 0 && { discarded }) };
    this.#writer.answer(entry, isOwn ? request : undefined, kept);
    for (const { kind, callId } of kept) {
      if (kind === 'call' && callId !== undefined) this.#open.set(callId, entry.line);
    }
  }

  /** An answer on a branch that was left was billed; without counts nobody knows how much. */
  #abandon({ counted, request }: Answer, { line }: Entry): void {
    if (counted) this.#writer.abandoned({ ...request, usage: counted.usage });
    else this.#around.note('request-not-billed', line, 'of a branch that was left');
  }

  /** What stays in the context of an answer. */
  #kept({ isFailed, blocks }: Answer): readonly Block[] {
    const keep = isFailed ? this.#around.header.failedAnswersKeep : 'all';
    if (keep === 'all') return blocks;
    return keep === 'words' ? blocks.filter(({ kind }) => kind !== 'call') : [];
  }

  /** A prompt that is smaller than the one before, without a marker between them, was edited in silence. */
  #watchPrompt(tokens: number, model: string | undefined, line: number): void {
    const before = this.#lastPrompt;
    if (before && before.model === model && tokens < before.tokens) this.#around.note('prompt-shrank', line);
    this.#lastPrompt = { tokens, model };
  }
}

/** What the requests behind a line are sent to, where it says so. */
function modelSince({ kind, body }: Entry): string | undefined {
  if (kind === 'answer') return textOf(body.model);
  return body.type === 'model_change' ? textOf(body.modelId) : undefined;
}

function isSummary({ kind }: Entry): boolean {
  return kind === 'compaction' || kind === 'summary';
}

/** pi learns the size of the prompt when the answer begins; of a request that failed before, nobody knows what was billed. */
function isServed({ counted, isFailed, hasOutput }: Answer): boolean {
  return counted !== undefined || hasOutput || !isFailed;
}
