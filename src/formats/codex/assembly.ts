import { promptTokens, type Served, type Session, unansweredCalls } from '../../session/index.ts';
import type { ReadContext } from '../format.ts';
import { ContextWriter, type NewRequest } from './context.ts';
import { Copies } from './copies.ts';
import { type Header, openingBlocks, readHeader, sessionFacts } from './facts.ts';
import { copiedPrefix } from './forks.ts';
import type { Item } from './items.ts';
import type { Entry, Log } from './log.ts';
import { Response } from './response.ts';
import type { StatedTier } from './tiers.ts';
import type { Counted } from './usage.ts';

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** Builds the session of one file; undefined if the file holds no context, or nothing that an earlier file does not hold. */
export function assemble(log: Log, path: string, context: ReadContext): Session | undefined {
  if (!log.entries.some((entry) => entry.kind === 'item' || entry.kind === 'compacted')) return undefined;
  return new Assembly(log, path, context).build();
}

class Assembly {
  readonly #log: Log;
  readonly #path: string;
  readonly #context: ReadContext;
  readonly #header: Header;
  readonly #copies: Copies;
  readonly #writer: ContextWriter;
  #response = new Response();
  #model: string | undefined;
  #effort: string | undefined;
  #tier: StatedTier | undefined;
  #turnId: string | undefined;
  #lastInput: number | undefined;
  #turnIsOpen = false;
  #lastPrompt = 0;
  /** Inside the prefix that a fork copied from its parent. */
  #isCopied = false;

  constructor(log: Log, path: string, context: ReadContext) {
    this.#log = log;
    this.#path = path;
    this.#context = context;
    this.#header = readHeader(log);
    this.#copies = new Copies(context.seenRequests, this.#header);
    this.#writer = new ContextWriter(log.human);
  }

  build(): Session | undefined {
    const { entries, hasUsage } = this.#log;
    if (this.#header.id === undefined) this.#find('no-session-meta');
    if (!hasUsage) this.#find('no-usage');
    for (const block of openingBlocks(this.#header.meta)) this.#writer.append(block);
    const copied = copiedPrefix(entries, this.#header, this.#context.seenRequests);
    for (const [at, entry] of entries.entries()) {
      if (at === copied) this.#flush();
      this.#isCopied = at < copied;
      this.#take(entry);
    }
    this.#flush();
    this.#copies.publish();
    const mayBeCopy = this.#copies.count > 0 || this.#log.isLaterCopy;
    if (mayBeCopy && this.#writer.requestCount === 0) {
      this.#find('duplicate-session');
      return undefined;
    }
    const session = this.#writer.build(sessionFacts(this.#header, entries, this.#path));
    const unanswered = unansweredCalls(session);
    if (unanswered > 0) this.#context.findings.add('unanswered-call', this.#path, undefined, '', unanswered);
    return session;
  }

  #take(entry: Entry): void {
    switch (entry.kind) {
      case 'item':
        this.#item(entry);
        break;
      case 'usage':
        this.#usage(entry);
        break;
      case 'side-usage':
        this.#aside(entry);
        break;
      case 'meta':
        this.#tier = entry.tier ?? this.#tier;
        break;
      case 'thread-settings':
        this.#settings(entry);
        break;
      case 'no-usage':
        // A refresh in the middle of a response: if the model goes on, that response failed and this is the next one.
        this.#response.close();
        break;
      case 'settings':
        this.#turnId = entry.turnId ?? this.#turnId;
        this.#settings(entry);
        this.#lastInput = entry.time;
        break;
      case 'task-start':
        this.#endUncounted();
        this.#turnId = entry.turnId ?? this.#turnId;
        this.#turnIsOpen = false;
        break;
      case 'task-end':
        if (entry.aborted) this.#endUncounted();
        this.#turnIsOpen = false;
        break;
      case 'compacted':
        this.#compacted(entry);
        break;
      case 'rollback':
        this.#rollback(entry);
        break;
    }
  }

  #item({ item, line, time }: Of<'item'>): void {
    if (item.from === 'model') {
      if (this.#response.isClosed) this.#endUncounted();
      this.#response.addOutput(item, line, this.#lastInput);
      return;
    }
    this.#response.addInput(item);
    if (item.from !== 'harness') this.#lastInput = time;
    if (item.user) this.#userMessage(item, line);
  }

  #userMessage(item: Item, line: number): void {
    if (this.#writer.isPrompt(item)) this.#turnIsOpen = true;
    else if (item.user?.injected === false) this.#find('unmatched-user-message', line);
  }

  #settings({ model, effort, tier }: Of<'settings' | 'thread-settings'>): void {
    this.#model = model ?? this.#model;
    this.#effort = effort ?? this.#effort;
    this.#tier = tier ?? this.#tier;
  }

  #usage(entry: Of<'usage'>): void {
    if (this.#isOfOtherThread(entry)) this.#aside(entry);
    else this.#answered(entry);
  }

  #answered(entry: Of<'usage'>): void {
    const { counted, model, tier, line, time } = entry;
    const start = this.#response.hasOutput ? this.#response.start : this.#lastInput;
    const isNew = this.#isNew(counted, line, entry.record?.threadId);
    if (isNew) this.#check(counted, model, line);
    this.#write(isNew ? this.#request(start ?? time, model, counted, tier) : undefined, counted.reasoning);
  }

  /** A record of another thread behind which this one's model said nothing. */
  #isOfOtherThread({ record }: Of<'usage'>): boolean {
    const { id } = this.#header;
    const isOther = id !== undefined && record?.threadId !== undefined && record.threadId !== id;
    if (isOther && this.#isAncestor(record.threadId)) return false;
    return isOther && !this.#isCopied && !this.#response.hasOutput;
  }

  /** A request outside the conversation, of the same model. */
  #aside({ counted, tier, line, time }: Of<'usage' | 'side-usage'>): void {
    if (!this.#isNew(counted, line)) return;
    if (this.#model === undefined) this.#find('no-model', line);
    this.#writer.abandoned({
      ...(this.#model !== undefined && { model: this.#model }),
      ...(time !== undefined && { time }),
      ...served(tier ?? this.#tier),
      usage: counted.usage,
    });
  }

  /** A response that no event counted: aborted, failed, or of a writer that counts nothing. */
  #endUncounted(): void {
    const { hasOutput, line, start } = this.#response;
    if (!hasOutput) return;
    const isCounted = this.#log.hasUsage || this.#isCopied;
    if (isCounted && !this.#isCopied) this.#find('request-without-usage', line);
    this.#write(isCounted ? undefined : this.#request(start), 0);
  }

  /** Ends the response and puts what is still waiting into the context. */
  #flush(): void {
    this.#endUncounted();
    this.#write(undefined, 0);
  }

  #write(request: NewRequest | undefined, reasoning: number): void {
    const response = this.#response;
    this.#response = new Response();
    this.#writer.respond(response, request, reasoning);
  }

  #compacted({ replacement, message, isRecorded, line, time }: Of<'compacted'>): void {
    this.#flush();
    if (!this.#isCopied && !isRecorded) this.#find('compaction-request-not-recorded', line);
    if (replacement) this.#writer.replace(replacement);
    else this.#writer.summarize(message ?? '');
    if (this.#turnIsOpen) this.#writer.continueTurn();
    this.#lastInput = time;
    this.#lastPrompt = 0;
  }

  #rollback({ turns }: Of<'rollback'>): void {
    this.#flush();
    this.#writer.rewind(turns);
    this.#turnIsOpen = false;
    this.#lastPrompt = 0;
  }

  #request(time: number | undefined, fallback?: string, counted?: Counted, stated = this.#tier): NewRequest {
    const model = this.#model ?? fallback;
    return {
      ...(time !== undefined && { time }),
      ...(model !== undefined && { model }),
      ...(counted && { usage: counted.usage }),
      ...served(stated),
      ...(this.#effort !== undefined && { settings: { effort: this.#effort } }),
    };
  }

  /** False for a request that was billed to the parent session, or stands in an earlier file. */
  #isNew(counted: Counted, line: number, thread?: string): boolean {
    const isParents = this.#isCopied || this.#isAncestor(thread);
    const isSeen = !isParents && this.#copies.isCopy(counted, this.#turnId);
    if (!isParents && !isSeen) return true;
    this.#find('copied-request', line, isSeen ? 'in an earlier file' : 'from the parent session');
    return false;
  }

  #isAncestor(thread: string | undefined): boolean {
    const { parent, others } = this.#header;
    return thread !== undefined && (thread === parent || others.includes(thread));
  }

  #check({ usage }: Counted, model: string | undefined, line: number): void {
    if ((this.#model ?? model) === undefined) this.#find('no-model', line);
    const prompt = promptTokens(usage);
    if (prompt < this.#lastPrompt) this.#find('prompt-shrank', line);
    this.#lastPrompt = prompt;
  }

  #find(kind: string, line?: number, detail?: string): void {
    this.#context.findings.add(kind, this.#path, line, detail);
  }
}

function served(tier: StatedTier | undefined): Served {
  return tier === undefined || tier === 'standard' ? {} : { tier };
}
