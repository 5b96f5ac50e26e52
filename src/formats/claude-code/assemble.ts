import { type Block, promptTokens, type Session, SessionBuilder, type SessionFacts } from '../../session/index.ts';
import type { SeenRequests } from '../format.ts';
import { inputBlocks, isQueued, noticeBlocks, opensTurn, responseBlocks } from './content.ts';
import type { Entry, Note } from './entries.ts';
import { claim } from './identity.ts';
import { isNotice, type Response, tokensOf } from './merge.ts';
import { listField, objectField, textField, textsOf } from './records.ts';
import { type Odd, type Settled, settleUsage } from './usage.ts';

/** What the assembly of a lane needs to know of the rest. */
export interface Surroundings {
  readonly seenRequests: SeenRequests;
  readonly note: Note;
  /** A sub-agent's prompts come from the session that started it, not from a person. */
  readonly isSubAgent: boolean;
}

/** The lines of a lane in order, which of them stand in the context of the last one, and what they come to. */
export interface Layout {
  readonly entries: readonly Entry[];
  readonly path: ReadonlySet<Entry>;
  readonly responses: ReadonlyMap<Entry, Response>;
  /** Commands with which a person asked the model. */
  readonly commands: ReadonlySet<Entry>;
}

/** Walks the lines of a lane in order and builds its log. */
export class Assembly {
  readonly builder = new SessionBuilder();
  /** Model of the first response. */
  model: string | undefined;
  #around: Surroundings;
  #entries: readonly Entry[];
  #path: ReadonlySet<Entry>;
  #responses: ReadonlyMap<Entry, Response>;
  #commands: ReadonlySet<Entry>;
  /** Responses that were billed elsewhere. */
  copied = 0;
  #done = new Set<Response>();
  #blocksByUuid = new Map<string, number[]>();
  #calls = new Map<string, number>();
  #inputTime: number | undefined;
  /** The last response called tools: its turn goes on. */
  #working = false;
  #lastPrompt: { tokens: number; model: string | undefined } | undefined;

  constructor({ entries, path, responses, commands }: Layout, around: Surroundings) {
    this.#around = around;
    this.#entries = entries;
    this.#path = path;
    this.#responses = responses;
    this.#commands = commands;
    for (const { model } of responses.values()) this.model ??= model;
  }

  run(): void {
    for (const [at, entry] of this.#entries.entries()) {
      const response = this.#responses.get(entry);
      if (response) this.#response(response);
      else if (this.#path.has(entry)) this.#line(entry, at);
    }
    for (const line of this.#calls.values()) this.#around.note('unanswered-call', line);
  }

  build(facts: SessionFacts): Session {
    return this.builder.build(facts);
  }

  #line(entry: Entry, at: number): void {
    switch (entry.kind) {
      case 'compaction':
      case 'clear':
        this.#reset(entry, at);
        break;
      case 'microcompaction':
        this.#around.note('microcompaction', entry.line);
        this.#lastPrompt = undefined;
        return;
      case 'assistant':
        if (isNotice(entry)) for (const block of noticeBlocks(entry)) this.#add(block, entry.uuid);
        return;
      case 'link':
        return;
      default:
    }
    this.#input(entry);
  }

  #input(entry: Entry): void {
    if (entry.kind === 'compaction') return;
    if (this.#opensTurn(entry) || (isQueued(entry) && !this.#working)) {
      this.builder.turn(this.#around.isSubAgent);
      this.#working = false;
    }
    for (const block of this.#inputBlocks(entry)) {
      if (block.kind === 'result') this.#answer(block, entry.line);
      this.#add(block, entry.uuid);
    }
    if (entry.kind !== 'clear') this.#inputTime = entry.time ?? this.#inputTime;
  }

  /** A person begins a turn with words, or with a command of their own that the model answers. */
  #opensTurn(entry: Entry): boolean {
    return this.#commands.has(entry) || opensTurn(entry);
  }

  #inputBlocks(entry: Entry): Block[] {
    const blocks = inputBlocks(entry, this.#around.note);
    if (!this.#commands.has(entry)) return blocks;
    return blocks.map((block) => (block.kind === 'meta' ? { ...block, kind: 'prompt' } : block));
  }

  #answer({ callId }: Block, line: number): void {
    if (callId === undefined || !this.builder.hasCall(callId)) this.#around.note('orphan-result', line);
    else this.#calls.delete(callId);
  }

  #response(response: Response): void {
    if (this.#done.has(response)) return;
    this.#done.add(response);
    const onPath = response.lines.some(({ entry }) => this.#path.has(entry));
    const isNew = this.#claim(response);
    const settled = response.usage && settleUsage(response.usage, this.#oddAt(response.first.line));
    const model = response.model;
    if (isNew) for (const extra of settled?.extras ?? []) this.#abandon(extra.model ?? model, response, extra.usage);
    if (!onPath) {
      if (isNew && settled) this.#abandon(model, response, settled.usage);
      // Without counts nobody knows what it cost.
      else if (isNew) this.#around.note('request-not-billed', response.first.line, 'of a branch that was left');
      return;
    }
    if (isNew) this.#request(response, settled);
    // What comes next is sent when this was there, unless something was put in.
    this.#inputTime = undefined;
    this.#working = response.pieces.some(({ block }) => textField(block, 'type') === 'tool_use');
    for (const { block, uuid } of responseBlocks(response, this.#around.note)) {
      this.#add(block, uuid);
      if (block.kind === 'call' && block.callId !== undefined) this.#calls.set(block.callId, response.first.line);
      if (block.kind === 'result' && block.callId !== undefined) this.#calls.delete(block.callId);
    }
  }

  /** False for a response that was billed in an earlier file or lane. */
  #claim(response: Response): boolean {
    const { seenRequests, note } = this.#around;
    if (claim(response, seenRequests)) return true;
    this.copied += 1;
    note('replayed-request', response.first.line, undefined, tokensOf(response));
    return false;
  }

  #request(response: Response, settled: Settled | undefined): void {
    const { model, effort, requestId, id, first } = response;
    const name = requestId ?? id;
    const time = this.#startTime(first);
    if (!settled) this.#around.note('usage-missing', first.line, undefined, response.absurd);
    else this.#watchPrompt(promptTokens(settled.usage), model, first.line);
    this.builder.request({
      ...(name === undefined ? {} : { id: name }),
      ...(time === undefined ? {} : { time }),
      ...(model === undefined || model === this.model ? {} : { model }),
      ...(settled ? { usage: settled.usage } : {}),
      ...(effort === undefined ? {} : { settings: { effort } }),
    });
  }

  /** A request starts when its last input was there; the line of the answer is written when the answer was. */
  #startTime(first: Entry): number | undefined {
    if (this.#inputTime === undefined || first.time === undefined) return first.time ?? this.#inputTime;
    return Math.min(this.#inputTime, first.time);
  }

  /** A prompt that is smaller than the one before, without a marker between them, was edited in silence. */
  #watchPrompt(tokens: number, model: string | undefined, line: number): void {
    const before = this.#lastPrompt;
    if (before && before.model === model && tokens < before.tokens) this.#around.note('prompt-shrank', line);
    this.#lastPrompt = { tokens, model };
  }

  #abandon(model: string | undefined, { first }: Response, usage: Settled['usage']): void {
    const time = first.time;
    this.builder.abandoned({
      ...(model === undefined ? {} : { model }),
      ...(time === undefined ? {} : { time }),
      usage,
    });
  }

  #reset(entry: Entry, at: number): void {
    this.#lastPrompt = undefined;
    if (this.builder.blockCount === 0 && this.builder.requestCount === 0) return;
    this.builder.segment(
      entry.kind === 'clear' ? 'clear' : 'compaction',
      entry.kind === 'clear' ? [] : this.#preserved(entry, at),
      entry.time,
    );
    if (this.#goesOn(at)) this.builder.turn(true);
  }

  /** True if the model goes on after a reset before a person has spoken. */
  #goesOn(at: number): boolean {
    for (let next = at + 1; next < this.#entries.length; next += 1) {
      const entry = this.#entries[next];
      if (!entry || !this.#path.has(entry)) continue;
      if (this.#opensTurn(entry)) return false;
      if (this.#responses.has(entry)) return true;
    }
    return false;
  }

  /** The blocks that a compaction leaves: named line by line, or as a stretch between two lines. */
  #preserved({ body }: Entry, at: number): number[] {
    const named = textsOf(listField(objectField(body, 'preservedMessages'), 'uuids'));
    const uuids = named.length > 0 ? named : this.#stretch(objectField(body, 'preservedSegment'), at);
    const blocks = new Set(uuids.flatMap((uuid) => this.#blocksByUuid.get(uuid) ?? []));
    return [...blocks].sort((a, b) => a - b);
  }

  #stretch(segment: ReturnType<typeof objectField>, at: number): string[] {
    const [head, tail] = [textField(segment, 'headUuid'), textField(segment, 'tailUuid')];
    const before = this.#entries.slice(0, at);
    const from = before.findIndex(({ uuid }) => uuid === head);
    const to = before.findIndex(({ uuid }) => uuid === tail);
    if (head === undefined || tail === undefined || from === -1 || to === -1) return [];
    return before.slice(from, to + 1).flatMap(({ uuid }) => uuid ?? []);
  }

  #add(block: Block, uuid: string | undefined): void {
    const at = this.builder.block(block);
    if (uuid === undefined) return;
    const known = this.#blocksByUuid.get(uuid);
    if (known) known.push(at);
    else this.#blocksByUuid.set(uuid, [at]);
  }

  #oddAt(line: number): Odd {
    return (kind, detail) => this.#around.note(kind, line, detail);
  }
}
