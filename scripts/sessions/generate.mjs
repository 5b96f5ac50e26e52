// One content-free session as records of the native format. It needs nothing of ctxsim: it is what a harness would write.
import { planSession } from './plan.mjs';
import { seedCase } from './shapes.mjs';

/** Characters per token of tool results on recorded sessions of this model (median 2.8). */
const charsPerToken = 2.8;
const charsPerLine = 38;

/** The records of one session; the same seed and shape give the same records. */
export function generateSession(seed, id, shape = seedCase) {
  const { systemTokens, turns } = planSession(seed, shape);
  const { model } = shape;
  return [
    {
      type: 'session',
      format: 'ctxsim.session/1',
      id,
      agent: 'synthetic',
      model,
      content: 'sizes',
      tokenizer: 'model',
    },
    block('system', textSize(systemTokens)),
    ...turns.flatMap(turnRecords),
  ];
}

function turnRecords({ promptTokens, steps }) {
  return [
    { type: 'turn' },
    block('prompt', textSize(promptTokens, { excerpt200: Math.min(promptTokens, 70) })),
    ...steps.flatMap(stepRecords),
  ];
}

function stepRecords({ time, replyTokens, call }) {
  return [
    { type: 'request', time: new Date(time).toISOString() },
    // Summaries quote the final reply of a turn only.
    block('reply', textSize(replyTokens, call ? undefined : { excerpt300: Math.min(replyTokens, 105) })),
    ...(call ? callRecords(call) : []),
  ];
}

function callRecords({
  callId,
  tool,
  action,
  tokens,
  resultTokens,
  target,
  stub,
  terse,
  completionLine,
  failed,
  file,
}) {
  const isExec = action === 'exec';
  const derived = { stub, ...(isExec ? { terse, completionLine } : {}) };
  return [
    // Records name what was run and what was changed, not what was read.
    block('call', textSize(tokens, isExec || action === 'edit' ? { target } : undefined), {
      callId,
      tool,
      action,
      // A name in place of the path, so that two edits of one file can be told from edits of two.
      ...(action === 'edit' ? { target: `file-${file}` } : {}),
    }),
    block('result', textSize(resultTokens, derived), { callId, ...(isExec ? { exitCode: failed ? 1 : 0 } : {}) }),
  ];
}

function block(kind, size, fields = {}) {
  return { type: 'block', kind, ...fields, size };
}

function textSize(tokens, derived) {
  const chars = Math.round(tokens * charsPerToken);
  const size = { chars, lines: Math.max(1, Math.round(chars / charsPerLine)), tokens };
  return derived ? { ...size, derived } : size;
}
