import { describe, expect, test } from 'vitest';
import { assistant, at, attachment, call, log, ms, read, result, text, usage, user } from './transcript.ts';

describe('one response is several lines', () => {
  const lines = [
    user('u1', null, 'fix it', { timestamp: at(0) }),
    assistant('a1', 'u1', 'm1', { type: 'thinking', thinking: '', signature: 's' }, usage(3, 2, 0, 0, 900), {
      timestamp: at(4),
    }),
    assistant('a2', 'a1', 'm1', text('Looking.'), usage(3, 40, 0, 0, 900), { timestamp: at(5) }),
    assistant('a3', 'a2', 'm1', call('t1'), usage(3, 120, 0, 0, 900), { timestamp: at(6) }),
    result('u2', 'a3', 't1', 'const x = 1;', { timestamp: at(7), toolUseResult: { file: 'never context' } }),
    assistant('a4', 'u2', 'm2', text('Done.'), usage(2, 10, 903, 0, 150), { timestamp: at(9) }),
  ];

  test('its usage is the maximum of each count, billed once (vector 1)', () => {
    const { session, counts } = read(lines);
    expect(session.requests).toEqual([
      {
        id: 'req_m1',
        at: 1,
        outputs: 3,
        turn: 0,
        time: ms(0),
        usage: { fresh: 3, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 900, output: 120 },
      },
      {
        id: 'req_m2',
        at: 5,
        outputs: 1,
        turn: 0,
        time: ms(7),
        usage: { fresh: 2, cacheRead: 903, cacheWrite5m: 0, cacheWrite1h: 150, output: 10 },
      },
    ]);
    expect(log(session)).toEqual([
      'prompt fix it',
      'thinking ',
      'reply Looking.',
      'call t1',
      'result t1',
      'reply Done.',
    ]);
    expect(session).toMatchObject({ id: 'S', agent: 'claude-code', model: 'claude-x', content: 'text', abandoned: [] });
    expect(counts).toEqual({});
  });

  test('the effort of any of its lines is that of the request', () => {
    const efforts = [undefined, undefined, 'high', undefined, undefined, undefined];
    const { session } = read(lines.map((line, at) => ({ ...line, effort: efforts[at] })));
    expect(session.requests.map(({ settings }) => settings)).toEqual([{ effort: 'high' }, undefined]);
  });

  test('without request ids, message ids group the lines; one line may lack its request id (vector 2)', () => {
    const without = lines.map((line) => ({ ...line, requestId: undefined }));
    expect(read(without).session.requests.map(({ id }) => id)).toEqual(['m1', 'm2']);
    const mixed = lines.map((line, index) => (index === 2 ? { ...line, requestId: undefined } : line));
    const { session, counts } = read(mixed);
    expect(session.requests.map(({ outputs }) => outputs)).toEqual([3, 1]);
    expect(counts).toEqual({});
  });

  test('the same message under another request id is a replay: context, not billed', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('One.'), usage(5, 1)),
      user('u2', 'a1', 'go'),
      assistant('a2', 'u2', 'm1', text('Two.'), usage(5, 1), { requestId: 'req_other' }),
    ]);
    expect(session.requests).toHaveLength(1);
    expect(log(session)).toEqual(['prompt go', 'reply One.', 'prompt go', 'reply Two.']);
    expect(counts).toEqual({ 'replayed-request': 1 });
  });

  test('without either id a line stands for itself', () => {
    const bare = (uuid: string, parent: string) =>
      assistant(uuid, parent, '', text(uuid), usage(1, 1), { requestId: undefined });
    const { session } = read([user('u1', null, 'a'), bare('a1', 'u1'), user('u2', 'a1', 'b'), bare('a2', 'u2')]);
    expect(session.requests).toHaveLength(2);
  });

  test('a line written twice counts once', () => {
    const { session, counts } = read(lines.flatMap((line) => [line, line]));
    expect(session.requests).toHaveLength(2);
    expect(log(session)).toHaveLength(6);
    expect(counts).toEqual({ 'repeated-line': 6 });
  });

  test('a longer state of a text replaces the shorter, a call comes once', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('I will'), usage(5, 1)),
      assistant('a2', 'a1', 'm1', text('I will look.'), usage(5, 9)),
      assistant('a3', 'a2', 'm1', call('t1'), usage(5, 9)),
      assistant('a4', 'a3', 'm1', call('t1'), usage(5, 9)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'reply I will look.', 'call t1']);
  });

  test('placeholder counts give way to later ones, the split comes from the copy that has it', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('a'), { ...usage(0, 1), cache_creation_input_tokens: 700 }),
      assistant('a2', 'a1', 'm1', text('b'), usage(12_000, 1, 0, 100, 600)),
    ]);
    expect(session.requests[0]?.usage).toEqual({
      fresh: 12_000,
      cacheRead: 0,
      cacheWrite5m: 100,
      cacheWrite1h: 600,
      output: 1,
    });
  });

  test('a result written before its call follows the whole response', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('Look.'), usage(5, 1)),
      result('r1', 'a2', 't1'),
      assistant('a2', 'a1', 'm1', call('t1'), usage(5, 9)),
      assistant('a3', 'r1', 'm2', text('Done.'), usage(9, 3)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'reply Look.', 'call t1', 'result t1', 'reply Done.']);
    expect(session.requests.map(({ outputs }) => outputs)).toEqual([2, 1]);
  });

  test('a result written before the response it answers follows it', () => {
    const { session, counts } = read([
      user('u1', null, 'go'),
      result('r1', 'a1', 't1'),
      assistant('a1', 'u1', 'm1', call('t1'), usage(5, 9)),
      assistant('a2', 'r1', 'm2', text('Done.'), usage(9, 3)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'call t1', 'result t1', 'reply Done.']);
    expect(session.blocks[2]).toMatchObject({ tool: 'Read', target: 't1.ts' });
    expect(counts).toEqual({});
  });

  test('notices in the model name of the harness are no requests; API errors are no context either (vector 15)', () => {
    const notice = {
      message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')], usage: usage(0, 0) },
    };
    const error = {
      message: { id: 'y', model: '<synthetic>', content: [text('API Error: 529')] },
      isApiErrorMessage: true,
    };
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'x', undefined, undefined, notice),
      assistant('a2', 'a1', 'y', undefined, undefined, error),
      user('u2', 'a2', 'again'),
      assistant('a3', 'u2', 'm1', text('Here.'), usage(9, 3), { isApiErrorMessage: false }),
    ]);
    expect(log(session)).toEqual(['prompt go', 'meta No response requested.', 'prompt again', 'reply Here.']);
    expect(session.requests).toHaveLength(1);
    expect(session.model).toBe('claude-x');
  });

  test('an API error under a model name is no request either', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('API Error'), usage(0, 0), { isApiErrorMessage: true }),
    ]);
    expect(session.requests).toEqual([]);
    expect(log(session)).toEqual(['prompt go']);
  });

  test('a request names its model only where it is not that of the session', () => {
    const other = { message: { id: 'm2', model: 'claude-y', content: [text('b')], usage: usage(1, 1) } };
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('a'), usage(1, 1)),
      user('u2', 'a1', 'more'),
      assistant('a2', 'u2', 'm2', undefined, undefined, other),
    ]);
    expect(session.requests.map(({ model }) => model)).toEqual([undefined, 'claude-y']);
  });
});

describe('thinking', () => {
  const thinking = (words: string) => ({ type: 'thinking', thinking: words, signature: 's' });
  const counted = { ...usage(5, 90), output_tokens_details: { thinking_tokens: 70 } };

  test('that is counted and not shown is hidden tokens of its first block', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', thinking(''), counted),
      assistant('a2', 'a1', 'm1', text('Done.'), counted),
    ]);
    expect(session.blocks.slice(1)).toEqual([
      { kind: 'thinking', text: '', hiddenTokens: 70 },
      { kind: 'reply', text: 'Done.' },
    ]);
  });

  test('is no more than the output that it lies in', () => {
    const more = { ...usage(5, 90), output_tokens_details: { thinking_tokens: 2e9 } };
    const { session, counts } = read([user('u1', null, 'go'), assistant('a1', 'u1', 'm1', thinking(''), more)]);
    expect(session.blocks[1]?.hiddenTokens).toBe(90);
    expect(counts).toEqual({ 'clamped-usage:thinking_tokens': 1 });
  });

  test('in several blocks is counted once', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', thinking(''), counted),
      assistant('a2', 'a1', 'm1', { type: 'redacted_thinking', data: 'x' }, counted),
    ]);
    expect(session.blocks.map(({ hiddenTokens }) => hiddenTokens)).toEqual([undefined, 70, undefined]);
  });

  test('that is shown is its text', () => {
    const { session } = read([user('u1', null, 'go'), assistant('a1', 'u1', 'm1', thinking('Hm.'), counted)]);
    expect(session.blocks[1]).toEqual({ kind: 'thinking', text: 'Hm.' });
  });
});

describe('times', () => {
  test('a request starts with its last input, attachments included, or with its answer where no input has a time', () => {
    const { session } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', call('t1'), usage(1, 1), { timestamp: at(5) }),
      result('r1', 'a1', 't1', 'ok', { timestamp: at(6) }),
      attachment('x1', 'r1', { type: 'date_change', newDate: '2026-01-02' }, { timestamp: at(8) }),
      assistant('a2', 'x1', 'm2', text('Done.'), usage(2, 1), { timestamp: at(11) }),
    ]);
    expect(session.requests.map(({ time }) => time)).toEqual([ms(5), ms(8)]);
  });

  test('a time without a zone is UTC, an invalid one is a finding and no time (vector 26)', () => {
    const { session, counts } = read([
      user('u1', null, 'go', { timestamp: '2026-01-01T00:00:03' }),
      assistant('a1', 'u1', 'm1', text('a'), usage(1, 1), { timestamp: '2026-01-01 00:00:09.5' }),
      user('u2', 'a1', 'more', { timestamp: 'soon' }),
      assistant('a2', 'u2', 'm2', text('b'), usage(2, 1), { timestamp: '2026-99-99T99:99:99.999Z' }),
    ]);
    expect(session.requests[0]?.time).toBe(ms(3));
    expect(counts).toEqual({ 'bad-time': 2 });
  });
});

describe('an id alone does not make a response', () => {
  const relay = (uuid: string, parent: string, block: object, recorded: object, more: object = {}) =>
    assistant(uuid, parent, 'relay', block as never, recorded as never, { requestId: undefined, ...more });
  const fresh = ({ session }: ReturnType<typeof read>) => session.requests.map(({ usage: it }) => it?.fresh);

  test('a relay that gives all answers the same loses none, with caches or without', () => {
    const lines = (prompts: readonly [number, number][]) => [
      user('u1', null, 'go'),
      relay('a1', 'u1', call('t1'), usage(prompts[0]?.[0] ?? 0, 10, prompts[0]?.[1])),
      result('r1', 'a1', 't1'),
      relay('a2', 'r1', call('t2'), usage(prompts[1]?.[0] ?? 0, 12, prompts[1]?.[1])),
      result('r2', 'a2', 't2'),
      relay('a3', 'r2', text('Done.'), usage(prompts[2]?.[0] ?? 0, 14, prompts[2]?.[1])),
      user('u2', 'a3', 'more'),
      relay('a4', 'u2', text('Yes.'), usage(prompts[3]?.[0] ?? 0, 16, prompts[3]?.[1])),
    ];
    // With a cache some counts shrink; without one, every count of each is larger than the one before.
    expect(
      fresh(
        read(
          lines([
            [900, 0],
            [50, 900],
            [60, 950],
            [70, 1010],
          ]),
        ),
      ),
    ).toEqual([900, 50, 60, 70]);
    expect(
      fresh(
        read(
          lines([
            [900, 0],
            [950, 0],
            [1010, 0],
            [1080, 0],
          ]),
        ),
      ),
    ).toEqual([900, 950, 1010, 1080]);
    // It may not know the prompt at all.
    expect(
      read(
        lines([
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
        ]),
      ).session.requests.map(({ usage: it }) => it?.output),
    ).toEqual([10, 12, 14, 16]);
  });

  test('nor does the same request id beside it, where another prompt was answered', () => {
    const same = { requestId: 'req_relay' };
    const lines = [
      user('u1', null, 'go'),
      relay('a1', 'u1', call('t1'), usage(900, 10), same),
      result('r1', 'a1', 't1'),
      relay('a2', 'r1', text('Done.'), usage(950, 12), same),
    ];
    expect(fresh(read(lines))).toEqual([900, 950]);
  });

  test('the same prompt sent again after other words is another request', () => {
    const { session } = read([
      user('u1', null, 'go', { timestamp: at(0) }),
      relay('a1', 'u1', text('One.'), usage(900, 10), { timestamp: at(1) }),
      user('u2', 'a1', 'go', { timestamp: at(5) }),
      relay('a2', 'u2', text('One.'), usage(900, 10), { timestamp: at(6) }),
    ]);
    expect(session.requests).toHaveLength(2);
  });

  test('a tool may answer while the response is still being written', () => {
    const lines = (ids: object) => [
      user('u1', null, 'go', { timestamp: at(0) }),
      assistant('a1', 'u1', 'm1', call('t1'), usage(5, 9, 700), { timestamp: at(1), ...ids }),
      result('r1', 'a1', 't1', 'ok', { timestamp: at(2) }),
      assistant('a2', 'r1', 'm1', call('t2'), usage(5, 30, 700), { timestamp: at(3), ...ids }),
      result('r2', 'a2', 't2', 'ok', { timestamp: at(4) }),
      assistant('a3', 'r2', 'm2', text('Done.'), usage(5, 3, 760), { timestamp: at(5) }),
    ];
    for (const ids of [{}, { requestId: undefined }]) {
      expect(read(lines(ids)).session.requests.map(({ usage: it }) => it?.output)).toEqual([30, 3]);
    }
  });

  test('in two files, usage and time must agree as well', () => {
    const context = { findings: read([]).findings, seenRequests: new Set<string>() };
    const file = (sessionId: string, second: number, prompt: number) =>
      [
        user(`u${sessionId}`, null, 'go', { timestamp: at(second) }),
        relay(`a${sessionId}`, `u${sessionId}`, text('Yes.'), usage(prompt, 4), { timestamp: at(second + 1) }),
      ].map((line) => ({ ...line, sessionId }));
    expect(fresh(read(file('A', 0, 50), context, 'A.jsonl'))).toEqual([50]);
    // Another prompt at another time, and the same prompt at another time.
    expect(fresh(read(file('B', 10, 60), context, 'B.jsonl'))).toEqual([60]);
    expect(fresh(read(file('C', 20, 50), context, 'C.jsonl'))).toEqual([50]);
    // The very same answer, in a session that was forked from the first.
    const { sessions, findings } = read(file('D', 0, 50), context, 'D.jsonl');
    expect(sessions).toEqual([]);
    expect(findings.list()).toContainEqual({
      kind: 'replayed-request',
      detail: '',
      count: 1,
      first: 'D.jsonl:2',
      tokens: { input: 50, output: 4 },
    });
  });

  test('a copy that was cut short, or has another request id, is a copy', () => {
    const context = { findings: read([]).findings, seenRequests: new Set<string>() };
    const lines = [
      user('u1', null, 'go', { timestamp: at(0) }),
      assistant('a1', 'u1', 'm1', text('Look.'), usage(5, 1, 70), { timestamp: at(1) }),
      assistant('a2', 'a1', 'm1', call('t1'), usage(5, 40, 70), { timestamp: at(2) }),
    ];
    expect(read(lines, context).session.requests).toHaveLength(1);
    const copy = (change: object) => lines.map((line) => ({ ...line, sessionId: 'F', ...change }));
    expect(read(copy({}).slice(0, 2), context, 'F.jsonl').sessions).toEqual([]);
    expect(read(copy({ requestId: 'req_2' }), context, 'F.jsonl').sessions).toEqual([]);
    expect(read(copy({ timestamp: at(90) }), context, 'F.jsonl').sessions).toEqual([]);
  });

  test('of lines with one line id, those that were billed differently are all billed', () => {
    const twice = (second: object) => [
      user('u1', null, 'go'),
      relay('a1', 'u1', text('One.'), usage(900, 10)),
      user('u2', 'a1', 'more'),
      { ...relay('a1', 'u2', text('Two.'), usage(40, 10, 900)), ...second },
    ];
    expect(fresh(read(twice({})))).toEqual([900, 40]);
    // A later state of the line is a state of its response.
    const { session, counts } = read([
      user('u1', null, 'go'),
      assistant('a1', 'u1', 'm1', text('I will'), usage(5, 1)),
      assistant('a1', 'u1', 'm1', text('I will look.'), usage(5, 9)),
    ]);
    expect(session.requests.map(({ usage: it }) => it?.output)).toEqual([9]);
    expect(log(session)).toEqual(['prompt go', 'reply I will look.']);
    expect(counts).toEqual({});
  });

  test('a branch that was left is told from the one that went on', () => {
    const { session } = read([
      user('u1', null, 'go'),
      relay('a1', 'u1', text('Left.'), usage(900, 10)),
      user('u2', 'a1', 'left too'),
      relay('a2', 'u2', text('Left too.'), usage(950, 10)),
      user('u3', 'u1', 'instead'),
      relay('a3', 'u3', text('Kept.'), usage(930, 10)),
    ]);
    expect(log(session)).toEqual(['prompt go', 'prompt instead', 'reply Kept.']);
    expect(session.requests).toHaveLength(1);
    expect(session.abandoned.map(({ usage: it }) => it.fresh)).toEqual([900, 950]);
  });
});

test('usage on a line that is no answer is said, with its tokens', () => {
  const { findings } = read([
    { ...user('u1', null, 'go'), usage: usage(4, 1) },
    assistant('a1', 'u1', 'm1', text('API Error'), usage(300, 2), { isApiErrorMessage: true }),
    assistant('a2', 'a1', 'm2', text('Done.'), usage(9, 3)),
  ]);
  expect(findings.list().map(({ kind, detail, tokens }) => [kind, detail, tokens])).toEqual([
    ['unread-usage', 'assistant', { input: 300, output: 2 }],
    ['unread-usage', 'user', { input: 4, output: 1 }],
  ]);
});
