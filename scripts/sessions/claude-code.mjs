import { spellOut } from './spell-out.mjs';
import { countTokens } from './words.mjs';

const model = 'claude-sonnet-4-5-20250929';

/** Tokens behind the last cache marker that Claude Code leaves uncached in every request. */
const freshTokens = 4;

/** One session as Claude Code keeps it: a line per content block, linked by parents, the usage on every line of a response. */
export function claudeCodeLines(seed, id, shape, factor) {
  const { systemTokens, turns } = spellOut(seed, shape, factor);
  const writer = new Writer(id, systemTokens, factor);
  for (const { prompt, steps } of turns) {
    writer.user(steps[0].time, prompt, [prompt]);
    for (const step of steps) writer.step(step);
  }
  return writer.lines;
}

class Writer {
  lines = [];
  #session;
  #factor;
  #responses = 0;
  /** Tokens of the next prompt, and of the one before: what is cached. */
  #prompt;
  #cached = 0;

  constructor(session, systemTokens, factor) {
    this.#session = session;
    this.#factor = factor;
    this.#prompt = systemTokens;
  }

  user(time, content, texts, more = {}) {
    this.#line('user', time, { message: { role: 'user', content }, ...more });
    this.#prompt += this.#tokensOf(texts);
  }

  step({ time, reply, call }) {
    const blocks = [{ type: 'text', text: reply }];
    if (call) blocks.push({ type: 'tool_use', id: `toolu_${call.callId}`, name: call.tool, input: call.input });
    this.#response(time, blocks, this.#tokensOf(call ? [reply, JSON.stringify(call.input)] : [reply]));
    if (call) this.#result(time, call);
  }

  /** The result comes a second after the call. */
  #result(time, { callId, action, text, exitCode }) {
    const failed = action === 'exec' && exitCode !== 0;
    const content = failed ? `Exit code ${exitCode}\n${text}` : text;
    const block = {
      type: 'tool_result',
      tool_use_id: `toolu_${callId}`,
      content,
      ...(failed ? { is_error: true } : {}),
    };
    this.user(time + 1000, [block], [content]);
  }

  #response(time, blocks, output) {
    this.#responses += 1;
    const number = String(this.#responses).padStart(4, '0');
    const usage = this.#usage(output);
    for (const block of blocks) {
      const stop_reason = blocks.length > 1 ? 'tool_use' : 'end_turn';
      const message = {
        id: `msg_${number}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [block],
        stop_reason,
        usage,
      };
      this.#line('assistant', time, { requestId: `req_${number}`, message });
    }
    this.#prompt += output;
  }

  #usage(output) {
    const written = this.#prompt - this.#cached - freshTokens;
    const usage = {
      input_tokens: freshTokens,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: this.#cached,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: output,
      service_tier: 'standard',
    };
    this.#cached += written;
    return usage;
  }

  #line(type, time, rest) {
    const at = this.lines.length;
    this.lines.push({
      type,
      uuid: `line-${at + 1}`,
      parentUuid: at === 0 ? null : `line-${at}`,
      sessionId: this.#session,
      version: '2.1.97',
      timestamp: new Date(time).toISOString(),
      isSidechain: false,
      ...rest,
    });
  }

  #tokensOf(texts) {
    return texts.reduce((sum, text) => sum + Math.round(countTokens(text) * this.#factor), 0);
  }
}
