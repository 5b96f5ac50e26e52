import { spellOut } from './spell-out.mjs';

/** One session with words, as records of the native format. The system prompt is not shown, as in most transcripts. */
export function nativeText(seed, id, shape, factor) {
  const { systemTokens, turns } = spellOut(seed, shape, factor);
  return [
    { type: 'session', format: 'ctxsim.session/1', id, agent: 'synthetic', model: shape.model, content: 'text' },
    { type: 'block', kind: 'system', hiddenTokens: systemTokens },
    ...turns.flatMap(({ prompt, steps }) => [
      { type: 'turn' },
      { type: 'block', kind: 'prompt', text: prompt },
      ...steps.flatMap(stepRecords),
    ]),
  ];
}

function stepRecords({ time, reply, call }) {
  return [
    { type: 'request', time: new Date(time).toISOString() },
    { type: 'block', kind: 'reply', text: reply },
    ...(call ? callRecords(call) : []),
  ];
}

function callRecords({ callId, tool, action, target, input, text, exitCode }) {
  return [
    { type: 'block', kind: 'call', callId, tool, action, target, text: JSON.stringify(input) },
    { type: 'block', kind: 'result', callId, ...(action === 'exec' ? { exitCode } : {}), text },
  ];
}
