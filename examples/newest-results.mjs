// A policy of your own: at each turn start, all but the newest `keep` tool results give way to a stub of eight tokens.
import { definePolicy } from 'ctxsim';

export default definePolicy({
  summary: 'At each turn start all but the newest tool results become stubs.',
  params: { keep: { type: 'integer', default: 5, min: 0, doc: 'tool results that stay' } },
  create({ keep }) {
    const whole = [];
    let turn = 1;
    const stub = { kind: 'stub', tokens: 8 };
    const put = (of) => ({ from: of, to: of, with: [{ ...stub, of }], sticky: true, reason: 'old result' });
    return {
      events: ['turn_start'],
      on(_event, state) {
        for (; turn < state.turn; turn += 1)
          for (let { first: id, end } = state.turnBlocks(turn); id < end; id += 1)
            if (state.block(id).kind === 'result' && state.tokens(id) > 8) whole.push(id);
        const old = whole.splice(0, Math.max(0, whole.length - keep));
        // Everything before the oldest result that is left stays as it is: cache markers can stand there.
        const next = whole.length > 0 ? state.positionOf(whole[0]) : state.viewLength;
        return { edits: old.map(put), stable: state.viewAt(next - 1) };
      },
    };
  },
});
