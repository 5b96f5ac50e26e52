import { describe, expect, test } from 'vitest';
import { CtxsimError } from '../../src/errors.ts';
import { parsePolicies, policies, presets as shippedPresets } from '../../src/policies/index.ts';
import type { PolicyKind, Preset } from '../../src/policies/policy.ts';
import { createRegistry } from '../../src/registry.ts';

const labels = (...texts: string[]) => parsePolicies(texts, policies).map(({ label }) => label);

function refusal(text: string): string {
  try {
    parsePolicies([text], policies);
  } catch (error) {
    return `${(error as CtxsimError).message} | ${(error as CtxsimError).hint}`;
  }
  throw new Error(`${text} was accepted`);
}

describe('what --policy accepts', () => {
  test('a name alone takes the defaults', () => {
    expect(parsePolicies(['elide'], policies)[0]?.settings).toEqual({
      recent_turns: 0,
      min_elide_chars: 300,
      min_elide_tokens: 60,
      stub_tokens: 15,
      terse_success: 'off',
    });
  });

  test('a segment without = continues the list before it; every combination is a row', () => {
    expect(labels('elide:recent_turns=0,1,4')).toEqual([
      'elide:recent_turns=0',
      'elide:recent_turns=1',
      'elide:recent_turns=4',
    ]);
    expect(labels('elide:recent_turns=0,1,terse_success=off,on')).toEqual([
      'elide:recent_turns=0,terse_success=off',
      'elide:recent_turns=0,terse_success=on',
      'elide:recent_turns=1,terse_success=off',
      'elide:recent_turns=1,terse_success=on',
    ]);
  });

  test('ranges, with and without a step', () => {
    expect(labels('elide:recent_turns=0..3')).toHaveLength(4);
    expect(labels('elide:recent_turns=0..8:4,9')).toEqual(['0', '4', '8', '9'].map((n) => `elide:recent_turns=${n}`));
  });

  test('what the settings need is needed', () => {
    const needs = (text: string) => parsePolicies([text], policies)[0]?.kind.needs ?? [];
    expect(needs('mask')).toEqual([]);
    expect(needs('mask:when=cold,tools=web')).toEqual(['times', 'tools']);
    expect(needs('compact:when=idle+keepalive')).toEqual(['times']);
  });

  test('settings that come to the same thing are one row', () => {
    expect(labels('elide', 'elide:recent_turns=0', 'full', 'full')).toEqual(['elide', 'full']);
    expect(labels('turn-summary:recent_turns_full=0,6,-1,5')).toEqual([
      'turn-summary:recent_turns_full=0',
      'turn-summary:recent_turns_full=5',
    ]);
  });
});

describe('what it refuses, and how', () => {
  test.each([
    ['elid', 'unknown policy "elid" | Nearest: elide, '],
    ['elide:recent_turn=1', 'unknown parameter of elide "recent_turn" | Did you mean "recent_turns"?'],
    ['elide:constructor=1', 'unknown parameter of elide "constructor"'],
    ['elide:recent_turns=-1', 'recent_turns=-1 is out of range | It takes a whole number of at least 0.'],
    ['elide:recent_turns=1.5', 'recent_turns=1.5 is out of range'],
    ['elide:recent_turns=', 'recent_turns= is out of range'],
    ['elide:recent_turns=two', 'recent_turns=two is out of range'],
    ['elide:recent_turns=4..1', 'the range 4..1 is empty'],
    ['elide:recent_turns=0..9:0', 'the range 0..9:0 is empty'],
    ['elide:recent_turns=0..1e9', 'is out of range'],
    ['elide:recent_turns=0..99999', 'more than 10000 values'],
    ['elide:1', '"1" has no key'],
    ['elide:terse_success=maybe', 'unknown value of'],
  ])('%s', (text, message) => expect(refusal(text)).toContain(message));
});

/** A second family that shares a setting with elide, has one of its own, and refuses a contradiction. */
const squash: PolicyKind = {
  name: 'squash',
  summary: 'a test',
  source: 'a test',
  params: {
    recent_turns: { type: 'integer', default: 2, min: 0, max: 3, doc: 'a test' },
    high: { type: 'number', default: 0.8, doc: 'a test' },
    low: { type: 'number', default: 0.5, doc: 'a test' },
    model: { type: 'model', default: 'main', doc: 'a test' },
  },
  needs: ['times'],
  create: ({ high, low }) => {
    if ((low as number) >= (high as number)) throw new CtxsimError('bad-policy', 'low must be below high');
    return { events: ['turn_end'], on: () => undefined };
  },
};
const more = createRegistry<PolicyKind>('policy', [...policies.all, squash]);
const preset = (name: string, policy: string): Preset => {
  return { name, policy, summary: '', origin: '', date: '2026-11', evidence: 'documentation' };
};
const presets = [preset('both', 'elide:recent_turns=1+squash'), preset('one', 'squash:high=0.9')];
const parse = (...texts: string[]) => parsePolicies(texts, more, presets);

describe('pipelines', () => {
  test('lists multiply across members, and the order is part of the label', () => {
    expect(parse('elide:recent_turns=0,1+squash:high=0.7,0.8').map(({ label }) => label)).toEqual([
      'elide:recent_turns=0+squash:high=0.7',
      'elide:recent_turns=0+squash:high=0.8',
      'elide:recent_turns=1+squash:high=0.7',
      'elide:recent_turns=1+squash:high=0.8',
    ]);
    expect(parse('elide+squash', 'squash+elide', 'elide+squash').map(({ label }) => label)).toEqual([
      'elide+squash',
      'squash+elide',
    ]);
  });

  test('every setting of every member is known by its full name', () => {
    const [spec] = parse('squash:low=0.1+elide:recent_turns=4+squash');
    expect(spec?.kind.name).toBe('squash+elide+squash');
    expect(spec?.settings).toMatchObject({
      'squash.low': 0.1,
      'squash.recent_turns': 2,
      'elide.recent_turns': 4,
      'squash#2.low': 0.5,
    });
    expect(Object.keys(spec?.kind.params ?? {}).sort()).toEqual(Object.keys(spec?.settings ?? {}).sort());
    expect(spec?.kind.needs).toEqual(['times']);
  });

  test('the members get their own settings', () => {
    const [spec] = parse('elide+squash');
    expect(spec?.kind.create(spec.settings)).toMatchObject({
      events: ['turn_start', 'turn_end'],
      members: [{ events: ['turn_start'] }, { events: ['turn_end'] }],
    });
  });

  test.each([
    ['elide+', 'unknown policy ""'],
    ['elide+recorded', 'recorded cannot be chained'],
    ['elide+squach', 'unknown policy "squach"'],
    ['elide:high=1+squash', 'unknown parameter of elide "high"'],
    ['elide+squash:low=0.8', 'low must be below high'],
    ['squash:model=', 'names no model'],
    ['elide:recent_turns=0..200+elide:recent_turns=0..200', 'more than 10000 combinations'],
  ])('%s is refused', (text, message) => expect(() => parse(text)).toThrow(message));
});

describe('presets', () => {
  test('stand for their policy, under their own name', () => {
    const [spec] = parse('both');
    expect([spec?.label, spec?.kind.name]).toEqual(['both', 'both']);
    expect(spec?.settings).toMatchObject({ 'elide.recent_turns': 1, 'squash.recent_turns': 2, 'squash.high': 0.8 });
    expect(parse('one')[0]).toMatchObject({ label: 'one', kind: { name: 'one' }, settings: { high: 0.9, low: 0.5 } });
  });

  test('a setting goes to every component that knows the key', () => {
    const specs = parse('both:recent_turns=0,3,high=0.7');
    expect(specs.map(({ label }) => label)).toEqual(['both:recent_turns=0,high=0.7', 'both:recent_turns=3,high=0.7']);
    expect(specs[1]?.settings).toMatchObject({ 'elide.recent_turns': 3, 'squash.recent_turns': 3, 'squash.high': 0.7 });
  });

  test('every component must accept it, and some must know it', () => {
    expect(() => parse('both:recent_turns=4')).toThrow('recent_turns=4 is out of range');
    expect(() => parse('both:hihg=1')).toThrow('unknown parameter of both "hihg"');
    expect(() => parse('both:low=0.9')).toThrow('low must be below high');
    expect(() => parse('boht')).toThrow(expect.objectContaining({ hint: expect.stringContaining('Nearest: both, ') }));
  });

  test('chain like policies, and what comes to the same thing is one row', () => {
    expect(parse('one+elide').map(({ kind }) => kind.name)).toEqual(['one+elide']);
    expect(parse('both', 'elide:recent_turns=1+squash').map(({ label }) => label)).toEqual(['both']);
  });
});

test('a preset asked for by name brings the rows that show what its parts do, with the same settings', () => {
  const rows = parsePolicies(['heph:recent_turns=1'], policies, shippedPresets, [], true);
  expect(rows.map(({ label }) => label)).toEqual([
    'heph:recent_turns=1',
    'heph:recent_turns=1 (elision alone)',
    'heph:recent_turns=1 (terse_success on top)',
  ]);
  expect(rows[1]?.settings).toMatchObject({ recent_turns: 1, terse_success: 'off' });
  expect(JSON.stringify(rows[2]?.settings)).toContain('"on"');
  expect(parsePolicies(['heph'], policies, shippedPresets)).toHaveLength(1);
  expect(parsePolicies(['heph:recent_turns=0,1'], policies, shippedPresets, [], true)).toHaveLength(2);
});
