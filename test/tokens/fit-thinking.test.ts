import { describe, expect, test } from 'vitest';
import { full } from '../../src/policies/full.ts';
import { recorded } from '../../src/policies/recorded.ts';
import { SessionBuilder } from '../../src/session/builder.ts';
import { countSession } from '../../src/tokens/index.ts';
import { replayCounted } from '../replay/run.ts';
import { size } from '../sessions.ts';

const keeps = 'claude-opus-4-5';
const strips = 'claude-sonnet-4-5';

const usage = (prompt: number, output: number) => ({
  usage: { fresh: prompt, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output },
});

/** A session that begins with 1,000 tokens of system, a turn, and 100 tokens of prompt. */
function begun(): SessionBuilder {
  const builder = new SessionBuilder();
  builder.block({ kind: 'system', size: size(1000) });
  builder.turn();
  builder.block({ kind: 'prompt', size: size(100) });
  return builder;
}

function count(builder: SessionBuilder, model: string) {
  return countSession(builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model }));
}

function replay(account: ReturnType<typeof count>, kind = recorded) {
  const { seen, edits } = replayCounted(account, { policy: () => kind.create({}), cache: 'none' });
  return { prompts: seen.map(({ prompt }) => prompt), edits };
}

describe('which thinking goes is decided request by request', () => {
  test('a model that strips takes over from one that keeps', () => {
    const builder = begun();
    builder.request({ model: keeps, ...usage(1100, 60) });
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(200) });
    builder.request({ model: keeps, ...usage(1360, 20) });
    builder.block({ kind: 'reply', size: size(20) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    // 1,360 + 20 + 100, less 50 of thinking.
    builder.request({ model: strips, ...usage(1430, 30) });
    builder.block({ kind: 'reply', size: size(30) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ model: keeps, ...usage(1560, 1) });
    const account = count(builder, keeps);
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 200, 20, 100, 30, 100]);
    expect(account.fit?.edits).toEqual([]);
    expect(replay(account).prompts).toEqual([1100, 1360, 1430, 1560]);
    expect(replay(account, full).prompts).toEqual([1100, 1360, 1430, 1560]);
  });

  test('a model that keeps takes over from one that strips', () => {
    const builder = begun();
    builder.request({ model: strips, ...usage(1100, 60) });
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'reply', size: size(10) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    // The turn ended under the model that strips: 1,100 + 10 + 100.
    builder.request({ model: keeps, ...usage(1210, 50) });
    builder.block({ kind: 'thinking', size: size(40) });
    builder.block({ kind: 'reply', size: size(10) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ model: keeps, ...usage(1360, 1) });
    const account = count(builder, strips);
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 100, 40, 10, 100]);
    expect(account.fit?.edits).toEqual([]);
    expect(replay(account).prompts).toEqual([1100, 1210, 1360]);
  });

  test('another model in its place strips as that one does', () => {
    const builder = begun();
    builder.request(usage(1100, 60));
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'reply', size: size(10) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request(usage(1260, 1));
    const session = builder.build({ id: 's', content: 'sizes', tokenizer: 'model', model: keeps });
    expect([...countSession(session).blocks]).toEqual([1000, 100, 50, 10, 100]);
    // Without the 50 of thinking 1,110 stand; the prompt is what is left.
    expect([...countSession(session, strips).blocks]).toEqual([1000, 100, 50, 10, 150]);
  });

  test('thinking that has gone takes its share of the billed reply with it', () => {
    const builder = begun();
    builder.request(usage(1100, 120));
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'reply', size: size(10) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request(usage(1270, 1));
    // 120 billed: 100 and 20; of the 170 that came the reply has 20, the prompt 150.
    expect([...count(builder, strips).blocks]).toEqual([1000, 100, 100, 20, 150]);
  });
});

describe('a turn before which known thinking went', () => {
  /** A turn of one round with 50 of thinking that goes; 1,310 of its 1,360 tokens are left. */
  function finished(): SessionBuilder {
    const builder = begun();
    builder.request(usage(1100, 60));
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(200) });
    builder.request(usage(1360, 20));
    return builder;
  }

  test('a prompt that leaves less than half of the new input has shrunk', () => {
    const builder = finished();
    builder.block({ kind: 'reply', size: size(20) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request(usage(1360, 1));
    const account = count(builder, strips);
    // 1,310 + 20 stand, 30 are left for 100: 70 of the past went.
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 200, 20, 100]);
    expect(account.fit?.edits).toEqual([{ request: 2, from: 0, to: 0, tokens: 930 }]);
    expect(replay(account).prompts).toEqual([1100, 1360, 1360]);
  });

  test('context that came unseen is not credited to a result', () => {
    const builder = finished();
    builder.block({ kind: 'call', callId: 'b', size: size(20) });
    builder.block({ kind: 'result', callId: 'b', size: size(100) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request(usage(4330, 1));
    const account = count(builder, strips);
    // 3,000 for 200: three times that and 500 are shared, the rest stands with the prompt.
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 200, 20, 550, 550 + 1900]);
    expect(replay(account).prompts).toEqual([1100, 1360, 4330]);
  });
});

describe('a reset that keeps thinking', () => {
  /** Two requests, then a compaction that keeps system, thinking, call and result, and a summary of 300 tokens. */
  function compacted(prompt: number): SessionBuilder {
    const builder = begun();
    builder.request(usage(1100, 60));
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(200) });
    builder.request(usage(1360, 5));
    builder.block({ kind: 'reply', size: size(5) });
    builder.segment('compaction', [0, 2, 3, 4]);
    builder.turn();
    builder.block({ kind: 'summary', size: size(300) });
    builder.request(usage(prompt, 1));
    return builder;
  }

  test('the model strips it at the first turn behind the reset', () => {
    const account = count(compacted(1510), strips);
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 200, 5, 300]);
    expect(replay(account).prompts).toEqual([1100, 1360, 1510]);
    expect(replay(account, full).prompts).toEqual([1100, 1360, 1510]);
  });

  test('the model keeps it', () => {
    const account = count(compacted(1560), keeps);
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 200, 5, 300]);
    expect(replay(account).prompts).toEqual([1100, 1360, 1560]);
  });

  test('a prompt that shrank with it is one edit, made once, of what still stands', () => {
    const account = count(compacted(900), strips);
    // 1,210 are kept: 310 go, and nothing is left for the summary.
    expect(account.fit?.edits).toEqual([{ request: 2, from: 0, to: 0, tokens: 690 }]);
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 200, 5, 0]);
    expect(replay(account)).toEqual({ prompts: [1100, 1360, 900], edits: 1 });
    expect(replay(account, full)).toEqual({ prompts: [1100, 1360, 1210], edits: 0 });
  });

  test('a second shrink finds its blocks', () => {
    const builder = new SessionBuilder();
    const kinds = ['thinking', 'prompt', 'call', 'result'] as const;
    for (const [at, kind] of kinds.entries()) builder.block({ kind, callId: `c${at}`, size: size(500) });
    builder.segment('compaction', [0, 1, 2, 3]);
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request(usage(700, 300));
    builder.block({ kind: 'thinking', size: size(100) });
    builder.request(usage(400, 1));
    const account = count(builder, strips);
    // 1,500 kept, 700 sent: 800 go of the first two. Then 700 + 300 of reply, 400 sent: 600 go of the first two again.
    expect(account.fit?.edits).toEqual([
      { request: 0, from: 0, to: 1, tokens: 200 },
      { request: 1, from: 0, to: 1, tokens: 100 },
    ]);
    expect(replay(account)).toEqual({ prompts: [700, 400], edits: 2 });
  });
});

describe('edits where the model changes', () => {
  test('a recorded edit comes before the thinking of earlier turns goes', () => {
    const builder = begun();
    builder.request({ model: keeps, ...usage(1100, 60) });
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(200) });
    builder.request({ model: keeps, ...usage(1360, 20) });
    builder.block({ kind: 'reply', size: size(20) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({ model: strips, ...usage(230, 1) });
    const account = count(builder, keeps);
    // 1,380 stand, 50 of them thinking that goes: 1,330 and 100 new, 230 sent; 1,200 go of the first four with the thinking in them.
    expect(account.fit?.edits).toEqual([{ request: 2, from: 0, to: 4, tokens: 110 }]);
    expect(replay(account)).toEqual({ prompts: [1100, 1360, 230], edits: 1 });
  });

  test('hidden context of a first prompt may grow unseen', () => {
    const builder = new SessionBuilder();
    builder.request({ model: 'gpt-5.5', ...usage(6607, 412) });
    builder.block({ kind: 'thinking', size: size(119) });
    builder.turn();
    builder.request({ model: keeps, ...usage(8130, 1918) });
    builder.request({ model: keeps, ...usage(36_427, 261) });
    const account = count(builder, keeps);
    expect([...account.blocks]).toEqual([6607, 412]);
    expect(account.fit?.edits).toEqual([
      { request: 1, from: 0, to: 0, tokens: 8130 },
      { request: 2, from: 0, to: 0, tokens: 36_427 },
    ]);
    expect(replay(account).prompts).toEqual([6607, 8130, 36_427]);
  });

  test('no prompt is made of thinking alone', () => {
    const builder = new SessionBuilder();
    builder.block({ kind: 'thinking', size: size(100) });
    builder.request(usage(50, 0));
    builder.turn();
    builder.request(usage(500, 0));
    const account = count(builder, strips);
    expect([...account.blocks]).toEqual([1, 49]);
    expect(replay(account).prompts).toEqual([50, 500]);
  });
});

describe('a request without usage', () => {
  test('starts a turn: thinking goes there', () => {
    const builder = begun();
    builder.request(usage(1100, 60));
    builder.block({ kind: 'thinking', size: size(50) });
    builder.block({ kind: 'reply', size: size(10) });
    builder.turn();
    builder.block({ kind: 'prompt', size: size(100) });
    builder.request({});
    builder.block({ kind: 'reply', size: size(30) });
    builder.block({ kind: 'meta', size: size(20) });
    builder.request(usage(1260, 1));
    const account = count(builder, strips);
    expect([...account.blocks]).toEqual([1000, 100, 50, 10, 100, 30, 20]);
    expect(replay(account).prompts).toEqual([1100, 1210, 1260]);
  });

  test('its own thinking stays to the end of its turn', () => {
    const builder = new SessionBuilder();
    builder.request(usage(20_007, 1990));
    builder.turn();
    builder.request({});
    builder.block({ kind: 'thinking', size: size(47), hiddenTokens: 478 });
    builder.request(usage(23_803, 526));
    const account = count(builder, strips);
    expect([...account.blocks]).toEqual([20_007, 3796]);
    expect(replay(account).prompts).toEqual([20_007, 20_007, 23_803]);
  });

  test('a prompt that shrank behind it leaves the replies in between where they stand', () => {
    const builder = begun();
    builder.request(usage(1100, 10));
    builder.block({ kind: 'call', callId: 'a', size: size(10) });
    builder.block({ kind: 'result', callId: 'a', size: size(400) });
    builder.request({});
    builder.block({ kind: 'call', callId: 'b', size: size(10) });
    builder.block({ kind: 'result', callId: 'b', size: size(300) });
    builder.request(usage(910, 10));
    const account = count(builder, keeps);
    // 1,520 before the last result, and 300 of it: 910 go of the first blocks.
    expect([...account.blocks]).toEqual([1000, 100, 10, 400, 10, 300]);
    expect(account.fit?.edits).toEqual([{ request: 2, from: 0, to: 0, tokens: 90 }]);
    expect(replay(account).prompts).toEqual([1100, 1510, 910]);
  });
});
