import { spellOut } from './spell-out.mjs';
import { countTokens } from './words.mjs';

/** OpenAI caches whole blocks of this many tokens. */
const cachedBlock = 128;

/** The share of the model's window that Codex records is 95 %. */
const recordedWindow = 258_400;

/** One session as a Codex rollout: items of the context, and after each response an event that counts its tokens. */
export function codexLines(seed, id, shape) {
  const { systemTokens, turns } = spellOut(seed, shape, 1);
  const writer = new Writer(systemTokens);
  const first = turns[0].steps[0].time;
  writer.add(first, 'session_meta', {
    id,
    timestamp: new Date(first).toISOString(),
    originator: 'codex_cli_rs',
    cli_version: '0.142.0',
    source: 'cli',
    model_provider: 'openai',
  });
  turns.forEach(({ prompt, steps }, turn) => {
    writer.prompt(steps[0].time, prompt, { turn_id: `turn-${turn + 1}`, model: shape.model, effort: 'medium' });
    for (const step of steps) writer.step(step);
  });
  return writer.lines;
}

class Writer {
  lines = [];
  #prompt;
  #cached = 0;
  #total = usageOf(0, 0, 0);

  constructor(systemTokens) {
    this.#prompt = systemTokens;
  }

  add(time, type, payload) {
    this.lines.push({ timestamp: new Date(time).toISOString(), type, payload });
  }

  prompt(time, text, context) {
    this.add(time, 'event_msg', { type: 'task_started', turn_id: context.turn_id });
    this.add(time, 'turn_context', context);
    this.#message(time, 'user', text);
    this.add(time, 'event_msg', { type: 'user_message', message: text });
    this.#prompt += countTokens(text);
  }

  /** Answers come two seconds after the request, results one second later. */
  step({ time, reply, call }) {
    const answered = time + 2000;
    this.#message(answered, 'assistant', reply);
    const args = call && JSON.stringify({ cmd: call.shell });
    if (call) {
      this.#item(answered, 'function_call', { name: 'exec_command', arguments: args, call_id: call.callId });
      this.#result(answered + 1000, call);
    }
    this.#count(answered + 1000, countTokens(reply) + (call ? countTokens(args) : 0));
    if (call) this.#prompt += countTokens(outputOf(call));
  }

  #result(time, call) {
    this.#item(time, 'function_call_output', { call_id: call.callId, output: outputOf(call) });
  }

  #count(time, output) {
    const last = usageOf(this.#prompt, this.#cached, output);
    this.#total = addUsage(this.#total, last);
    const info = { total_token_usage: this.#total, last_token_usage: last, model_context_window: recordedWindow };
    this.add(time, 'event_msg', { type: 'token_count', info, rate_limits: null });
    this.#cached = Math.floor(this.#prompt / cachedBlock) * cachedBlock;
    this.#prompt += output;
  }

  #message(time, role, text) {
    this.#item(time, 'message', { role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  }

  #item(time, type, fields) {
    this.add(time, 'response_item', { type, ...fields });
  }
}

function outputOf({ exitCode, text }) {
  return `Wall time: 0.3 seconds\nProcess exited with code ${exitCode}\nOutput:\n${text}`;
}

function usageOf(input, cached, output) {
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    reasoning_output_tokens: 0,
    total_tokens: input + output,
  };
}

function addUsage(a, b) {
  return Object.fromEntries(Object.entries(a).map(([key, tokens]) => [key, tokens + b[key]]));
}
