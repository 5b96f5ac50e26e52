import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../src/bytes/index.ts';
import type { Format } from '../../src/formats/format.ts';
import { formats } from '../../src/formats/index.ts';
import { Findings } from '../../src/session/findings.ts';
import { humanTurns, type Session } from '../../src/session/session.ts';
import { addUsage, zeroUsage } from '../../src/session/usage.ts';

type Line = Readonly<Record<string, unknown>>;

/** One made-up file: a session that begins at a second, and how much each of its rounds reads. */
interface Plan {
  readonly start: number;
  readonly rounds: readonly { readonly grows: number; readonly output: number; readonly isTurn: boolean }[];
  readonly style: number;
}

const plan = fc.record({
  start: fc.nat(5000),
  rounds: fc.array(
    fc.record({
      grows: fc.integer({ min: 1, max: 900 }),
      output: fc.integer({ min: 1, max: 90 }),
      isTurn: fc.boolean(),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  style: fc.nat(3),
});

const iso = (second: number) => new Date(Date.UTC(2026, 2, 1, 10) + second * 1000).toISOString();
const epoch = (second: number) => Date.parse(iso(second));
const uuid = (second: number, tail: number) => {
  const hex = epoch(second).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(tail).padStart(12, '0')}`;
};

/** The rounds with their prompts: each carries what the one before it carried, and its answer. */
function promptsOf({ rounds }: Plan) {
  let prompt = 0;
  return rounds.map((round, at) => {
    prompt += round.grows + (rounds[at - 1]?.output ?? 0);
    return { ...round, isTurn: at === 0 || round.isTurn, prompt, at };
  });
}

/** Lines of a rollout: with one book or both, and with its header again in the middle where the style says so. */
function codexLines(it: Plan, index: number, parent?: { id: string; lines: Line[] }): Line[] {
  const id = uuid(it.start, index);
  const line = (second: number, type: string, payload: object): Line => ({
    timestamp: iso(it.start + second),
    type,
    payload,
  });
  const meta = (second: number) =>
    line(second, 'session_meta', { id, timestamp: iso(it.start), ...(parent && { forked_from_id: parent.id }) });
  let total = { input: 0, cached: 0, output: 0 };
  const counts = ({ input, cached, output }: typeof total) => ({
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
  });
  const own = promptsOf(it).flatMap(({ prompt, output, isTurn, at, grows }) => {
    const last = { input: prompt, cached: prompt - grows, output };
    total = { input: total.input + prompt, cached: total.cached + last.cached, output: total.output + output };
    const second = at * 10 + 1;
    const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: `ask ${index} ${at}` }] };
    const reply = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: `say ${index} ${at}` }],
    };
    const record = { thread_id: id, response_id: 'always', usage: counts(last), thread_token_usage: counts(total) };
    const info = { total_token_usage: counts(total), last_token_usage: counts(last) };
    return [
      ...(it.style === 3 && at === 1 ? [meta(second)] : []),
      ...(isTurn
        ? [
            line(second, 'event_msg', { type: 'task_started', turn_id: uuid(it.start + second, at) }),
            line(second, 'turn_context', { turn_id: uuid(it.start + second, at), model: 'gpt-5.6-sol' }),
            line(second, 'response_item', user),
            line(second, 'event_msg', { type: 'user_message', message: `ask ${index} ${at}` }),
          ]
        : []),
      line(second + 1, 'response_item', reply),
      ...(it.style === 1 || it.style === 2 ? [line(second + 2, 'token_usage_record', record)] : []),
      ...(it.style === 2 ? [] : [line(second + 2, 'event_msg', { type: 'token_count', info })]),
    ];
  });
  return [meta(0), ...(parent?.lines ?? []), ...own];
}

function piLines(it: Plan, index: number): Line[] {
  const hasIds = it.style % 2 === 0;
  const rounds = promptsOf(it).flatMap(({ prompt, output, at, grows }) => [
    { role: 'user', content: `ask ${index} ${at}`, timestamp: epoch(it.start + at * 10 + 1) },
    {
      role: 'assistant',
      model: 'claude-x',
      responseId: 'always',
      content: [{ type: 'text', text: 'ok' }],
      usage: { input: 0, cacheRead: prompt - grows, cacheWrite: grows, cacheWrite1h: 0, output },
      stopReason: 'stop',
      timestamp: epoch(it.start + at * 10 + 2),
    },
  ]);
  const lines = rounds.map((message, at) => ({
    type: 'message',
    ...(hasIds && { id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}` }),
    timestamp: iso(it.start + at * 5 + 3),
    message,
  }));
  return [
    { type: 'session', ...(hasIds && { version: 3 }), id: `s${index}`, timestamp: iso(it.start), cwd: '/w' },
    ...lines,
  ];
}

function nativeLines(it: Plan, index: number): Line[] {
  const rounds = promptsOf(it).flatMap(({ prompt, output, isTurn, at, grows }) => [
    ...(isTurn ? [{ type: 'turn' }] : []),
    { type: 'block', kind: 'prompt', text: `ask ${index} ${at}` },
    {
      type: 'request',
      ...(it.style % 2 === 0 && { id: 'always' }),
      ...(it.style > 1 && { time: iso(it.start + at) }),
      usage: { fresh: grows, cacheRead: prompt - grows, cacheWrite5m: 0, cacheWrite1h: 0, output },
    },
    { type: 'block', kind: 'reply', text: 'ok' },
  ]);
  return [{ type: 'session', format: 'ctxsim.session/1', id: `s${index}`, model: 'm' }, ...rounds];
}

function logRows(it: Plan, index: number): Line[] {
  return promptsOf(it).map(({ prompt, output, isTurn, at, grows }) => ({
    session: `s${index}`,
    time: it.style % 2 === 0 ? iso(it.start + at) : '',
    model: 'claude-sonnet-4-5',
    input: prompt,
    read: prompt - grows,
    output,
    turn: isTurn ? 1 : 0,
  }));
}

const makers: Readonly<Record<string, (it: Plan, index: number) => Line[]>> = {
  codex: codexLines,
  pi: piLines,
  native: nativeLines,
  'request-log': logRows,
};

async function readFiles(format: Format, files: readonly (readonly Line[])[], findings = new Findings()) {
  const seenRequests = new Set<string>();
  const sessions: Session[] = [];
  for (const lines of files) {
    const source: Source = {
      path: '-',
      records: () => lines.map((value, at) => ({ line: at + 1, value })),
    };
    for await (const session of format.read(source, { findings, seenRequests })) sessions.push(session);
  }
  return sessions.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const plans = fc.array(plan, { minLength: 1, maxLength: 4 });

describe.each(Object.entries(makers).map(([name, lines]) => ({ name, lines })))('$name', ({ name, lines }) => {
  const format = formats.get(name);
  const linesOf = (all: readonly Plan[]) => all.map((it, index) => lines(it, index));

  test('sessions that are joined in one stream are the same as apart', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const files = linesOf(all);
        const apart = await readFiles(format, files);
        expect(apart).toHaveLength(all.length);
        expect(await readFiles(format, [files.flat()])).toEqual(apart);
      }),
      { numRuns: 60 },
    );
  });

  test('no answer is lost where every one has the same name', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const sessions = await readFiles(format, linesOf(all));
        const requests = sessions.flatMap((session) => session.requests);
        const output = requests.reduce((sum, { usage }) => addUsage(sum, usage ?? zeroUsage), zeroUsage).output;
        expect(requests).toHaveLength(all.reduce((sum, { rounds }) => sum + rounds.length, 0));
        expect(output).toBe(all.flatMap(({ rounds }) => rounds).reduce((sum, round) => sum + round.output, 0));
      }),
      { numRuns: 30 },
    );
  });
});

describe.each(['codex', 'pi', 'native'])('copies of one session that were kept at several moments (%s)', (name) => {
  const format = formats.get(name);
  const lines = makers[name] as (it: Plan, index: number) => Line[];

  test('are the longest of them, in whatever order they are joined, beside other sessions', async () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(plan, plan, cuts, fc.nat(), async (it, other, shares, turn) => {
        const whole = lines(it, 0);
        const copies = [whole, ...shares.map((share) => whole.slice(0, Math.ceil(whole.length * share)))];
        const first = turn % (copies.length + 1);
        const files = [...copies.slice(first), lines(other, 1), ...copies.slice(0, first)];
        const alone = await readFiles(format, [whole, lines(other, 1)]);
        expect(await readFiles(format, [files.flat()])).toEqual(alone);
      }),
      { numRuns: 80 },
    );
  });
});

describe('forks of Codex', () => {
  test('joined with their parent in either order are billed as apart', async () => {
    const codex = formats.get('codex');
    await fc.assert(
      fc.asyncProperty(plan, plan, fc.boolean(), fc.boolean(), async (it, own, isFirst, isRestamped) => {
        const parent = codexLines({ ...it, style: 0 }, 0);
        const later = { ...own, start: it.start + 1000, style: 0 };
        const copied = isRestamped ? parent.map((line) => ({ ...line, timestamp: iso(later.start) })) : parent;
        const child = codexLines(later, 1, { id: uuid(it.start, 0), lines: copied });
        const files = isFirst ? [child, parent] : [parent, child];
        const apart = await readFiles(codex, files);
        expect(await readFiles(codex, [files.flat()])).toEqual(apart);
        expect(apart.map(({ requests }) => requests.length)).toEqual([it.rounds.length, own.rounds.length]);
        expect(apart.map(humanTurns)[1]).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});
