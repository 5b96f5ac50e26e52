import { describe, expect, it } from 'vitest';
import { readUsage } from '../../../src/formats/pi/usage.ts';
import { largestCount } from '../../../src/session/usage.ts';
import { answer, call, read, tree, usage, user } from './transcript.ts';

function settle(value: unknown) {
  const odd: string[] = [];
  const counted = readUsage(value, (kind, detail = '') => odd.push(`${kind} ${detail}`.trim()));
  return { usage: counted?.usage, reasoning: counted?.reasoning, odd };
}

describe('usage', () => {
  it('is in exclusive classes as it is written', () => {
    expect(settle(usage([3, 40, 500, 6]))).toEqual({
      usage: { fresh: 3, cacheRead: 40, cacheWrite5m: 500, cacheWrite1h: 0, output: 6 },
      reasoning: 0,
      odd: [],
    });
  });

  it('takes the writes that live for an hour out of all writes', () => {
    expect(settle(usage([3, 40, 500, 6], { cacheWrite1h: 200 })).usage).toMatchObject({
      cacheWrite5m: 300,
      cacheWrite1h: 200,
    });
  });

  it('says where nobody recorded how long a write lives', () => {
    expect(settle(usage([3, 40, 500, 6], { cacheWrite1h: undefined })).odd).toEqual(['write-ttl-unknown']);
    expect(settle(usage([3, 40, 0, 6], { cacheWrite1h: undefined })).odd).toEqual([]);
  });

  it.each([
    ['input', -1],
    ['cacheRead', 1.5],
    ['cacheWrite', 'many'],
    ['cacheWrite1h', Number.NaN],
    ['input', largestCount + 1],
    ['output', 1_000_001],
  ])('is unknown where %s is %s', (name, count) => {
    expect(settle(usage([3, 40, 500, 6], { [name]: count }))).toMatchObject({
      usage: undefined,
      odd: [`bad-count ${name}`],
    });
  });

  it('is unknown where a part is larger than the whole', () => {
    expect(settle(usage([3, 40, 500, 6], { cacheWrite1h: 501 }))).toMatchObject({
      usage: undefined,
      odd: ['impossible-usage'],
    });
    expect(settle(usage([largestCount, 1, 0, 6]))).toMatchObject({ usage: undefined, odd: ['impossible-usage'] });
  });

  it('is unknown where the prompt had no tokens, or there is none', () => {
    expect(settle(usage([0, 0, 0, 6])).usage).toBeUndefined();
    expect(settle(undefined)).toEqual({ usage: undefined, reasoning: undefined, odd: [] });
  });

  it('reads numbers that are written as text, and takes what is missing as none', () => {
    expect(settle({ input: '12', output: 3 }).usage).toEqual({
      fresh: 12,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 3,
    });
  });

  it('says where the total is another one, and believes the classes', () => {
    const { usage: counted, odd } = settle(usage([3, 40, 0, 6], { totalTokens: 50 }));
    expect(counted?.fresh).toBe(3);
    expect(odd).toEqual(['usage-mismatch totalTokens']);
    expect(settle(usage([3, 40, 0, 6], { totalTokens: 0 })).odd).toEqual([]);
  });

  it('keeps the bill where only the reasoning cannot be', () => {
    expect(settle(usage([3, 0, 0, 6], { reasoning: 7 }))).toMatchObject({ reasoning: 0, usage: { output: 6 } });
    expect(settle(usage([3, 0, 0, 6], { reasoning: -7 }))).toMatchObject({
      reasoning: 0,
      odd: ['bad-count reasoning'],
    });
  });
});

describe('a request', () => {
  it('has no usage and a finding where a count cannot be', () => {
    const { session, counts } = read(tree([user('a'), answer([9, -1, 0, 1], [call('c1')])]));
    expect(session.requests).toHaveLength(1);
    expect(session.requests[0]?.usage).toBeUndefined();
    expect(counts).toEqual({ 'bad-count: cacheRead': 1, 'unanswered-call': 1, 'usage-missing': 1 });
  });

  it('gives its reasoning to the first thinking that is not shown', () => {
    const content = [
      { type: 'thinking', thinking: 'shown' },
      { type: 'thinking', thinking: '', thinkingSignature: 'xx' },
      { type: 'thinking', thinking: '[hidden]', redacted: true },
    ];
    const { session } = read(
      tree([answer([9, 0, 0, 50], content, { usage: usage([9, 0, 0, 50], { reasoning: 30 }) })]),
    );
    expect(session.blocks).toEqual([
      { kind: 'thinking', text: 'shown' },
      { kind: 'thinking', text: '', hiddenTokens: 30 },
      { kind: 'thinking', text: '' },
    ]);
  });
});
