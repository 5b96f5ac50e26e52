import { derivedNames } from './derived.ts';
import type { Block, BlockSize, Request, RequestSettings, Session, SettingName } from './session.ts';

/** Words that everybody's sessions have, so that they say nothing of one. */
export interface KnownNames {
  readonly tools: ReadonlySet<string>;
  readonly agents: ReadonlySet<string>;
}

/** Values of settings that providers and harnesses document; any other is a word of the user's. */
const knownSettings: ReadonlySet<string> = new Set([
  ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'],
  ...['on', 'off', 'true', 'false', 'enabled', 'disabled', 'adaptive'],
  ...['auto', 'any', 'required', 'default', 'standard', 'fast', 'batch', 'flex', 'priority'],
]);

/** `2.1.42`, `0.142.0-alpha.3`: digits, with one of the usual marks behind them. */
const plainVersion = /^\d{1,6}(\.\d{1,6}){0,3}(-(alpha|beta|rc|dev)(\.\d{1,6}){0,2})?$/;

/** Gives equal words equal names, by the order in which they come: a number can be traced to no word, a hash to one that is guessed. */
class Names {
  readonly #prefix: string;
  readonly #known = new Map<string, string>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  of(word: string): string {
    const name = this.#known.get(word) ?? `${this.#prefix}${this.#known.size + 1}`;
    this.#known.set(word, name);
    return name;
  }
}

/**
 * Takes the words out of sessions and leaves what a replay needs: structure, sizes, times, usage, model names, and which
 * targets, calls and tools are the same. What is kept is listed here field by field, so that a new one is not let through by
 * oversight. Harnesses, their versions and projects are numbered over all sessions of a run, the rest within a session.
 */
export class WordRemover {
  readonly #known: KnownNames;
  readonly #agents = new Names('agent');
  readonly #versions = new Names('version');
  readonly #projects = new Names('project');

  constructor(known: KnownNames) {
    this.#known = known;
  }

  /**
   * A measured session without its words; `id` takes the place of its own. `quotes`: by block, the `callId`s of the results
   * that it repeats a line of.
   */
  remove(session: Session, id: string, quotes: ReadonlyMap<number, readonly string[]> = new Map()): Session {
    const { agent, agentVersion: version, project, model, tokenizer, warmBlocks } = session;
    const names = new SessionNames(this.#known.tools);
    return defined({
      id,
      agent: agent === undefined || this.#known.agents.has(agent) ? agent : this.#agents.of(agent),
      agentVersion: version === undefined || plainVersion.test(version) ? version : this.#versions.of(version),
      project: project === undefined ? undefined : this.#projects.of(project),
      model,
      content: 'sizes' as const,
      tokenizer,
      warmBlocks,
      blocks: session.blocks.map((block, at) => names.block(block, quotes.get(at))),
      turns: session.turns,
      requests: session.requests.map((request) => names.request(request)),
      segments: session.segments,
      abandoned: session.abandoned.map(({ model, time, usage, tier, region }) =>
        defined({ model, time, usage, tier, region }),
      ),
    });
  }
}

class SessionNames {
  readonly #knownTools: ReadonlySet<string>;
  readonly #tools = new Names('tool');
  readonly #calls = new Names('c');
  readonly #targets = new Names('t');
  readonly #settings = new Names('setting');

  constructor(knownTools: ReadonlySet<string>) {
    this.#knownTools = knownTools;
  }

  block(block: Block, quotes = block.quotes): Block {
    const { kind, size, callId, tool, action, target, isError, exitCode, images, hiddenTokens } = block;
    if (!size) throw new Error('the session was not measured');
    return defined({
      kind,
      callId: callId === undefined ? undefined : this.#calls.of(callId),
      tool: tool === undefined || this.#knownTools.has(tool) ? tool : this.#tools.of(tool),
      action,
      target: target === undefined ? undefined : this.#targets.of(target),
      quotes: quotes?.map((id) => this.#calls.of(id)),
      isError,
      exitCode,
      images,
      hiddenTokens,
      size: sizeOf(size),
    });
  }

  request({ at, outputs, turn, time, model, usage, totals, settings, discarded, tier, region }: Request): Request {
    return defined({
      at,
      outputs,
      turn,
      time,
      model,
      usage,
      totals,
      tier,
      region,
      settings: settings && this.#settingsOf(settings),
      discarded: discarded?.map((block) => this.block(block)),
    });
  }

  #settingsOf(settings: RequestSettings): RequestSettings {
    const entries = Object.entries(settings) as [SettingName, string][];
    return Object.fromEntries(
      entries.map(([name, value]) => [name, knownSettings.has(value) ? value : this.#settings.of(value)]),
    );
  }
}

function sizeOf({ chars, lines, tokens, derived }: BlockSize): BlockSize {
  if (!derived) return { chars, lines, tokens };
  const kept = derivedNames.flatMap((name) => (derived[name] === undefined ? [] : [[name, derived[name]] as const]));
  return { chars, lines, tokens, derived: Object.fromEntries(kept) };
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the keys that have no value: a record of the format has none of those. */
function defined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
