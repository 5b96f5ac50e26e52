import { describe, expect, it } from 'vitest';
import { compacted, context, count, event, type Line, meta, prompt, read, record, reply } from './rollout.ts';

const settings = (tier: unknown): Line =>
  event('thread_settings_applied', { thread_settings: { model: 'gpt-5.6-sol', service_tier: tier } });

const head = [meta('s1'), context('gpt-5.6-sol'), ...prompt('go')];

let total = 0;
const answered = (more: object = {}, inCount: object = {}): Line[] => {
  const before = total;
  total += 100;
  const { payload } = count([100, 0, 1], [before + 100, 0, 1]);
  return [
    reply('a'),
    ...('isOld' in more ? [] : [record(`r${total}`, [100, 0, 1], [total, 0, 1], more)]),
    { type: 'event_msg', payload: { ...payload, ...inCount } },
  ];
};

const tiersOf = (lines: readonly Line[]) => {
  const { session, findings } = read([...head, ...lines]);
  const odd = findings.list().filter(({ kind }) => kind === 'service-tier');
  return { tiers: session.requests.map(({ tier }) => tier ?? '-'), odd: odd.map(({ detail }) => detail) };
};

describe('the service tier of a request', () => {
  it.each([
    ['priority', 'fast'],
    ['fast', 'fast'],
    ['Flex', 'flex'],
    ['batch', 'batch'],
    ['default', '-'],
    ['auto', '-'],
    ['standard', '-'],
    [null, '-'],
  ])('%s is %s', (name, tier) => {
    expect(tiersOf([settings(name), ...answered()])).toEqual({ tiers: [tier], odd: [] });
    expect(tiersOf(answered({ service_tier: name }))).toEqual({ tiers: [tier], odd: [] });
  });

  it('of another name is standard, and said', () => {
    expect(tiersOf(answered({ service_tier: 'scale' }))).toEqual({ tiers: ['-'], odd: ['scale'] });
    expect(tiersOf([settings('scale'), ...answered()])).toEqual({ tiers: ['-'], odd: ['scale'] });
  });

  it('is that of the settings in force, until they change', () => {
    const lines = [...answered(), settings('priority'), ...answered(), settings('default'), ...answered()];
    expect(tiersOf(lines).tiers).toEqual(['-', 'fast', '-']);
  });

  it('is what its own record says, where the provider served it otherwise', () => {
    const lines = [
      settings('priority'),
      ...answered({ service_tier: 'default' }),
      ...answered({ service_tier: 'flex' }),
    ];
    expect(tiersOf(lines).tiers).toEqual(['-', 'flex']);
  });

  it('may stand in its token_count alone', () => {
    expect(tiersOf(answered({}, { service_tier: 'priority' })).tiers).toEqual(['fast']);
    expect(tiersOf(answered({ isOld: 1 }, { service_tier: 'priority' })).tiers).toEqual(['fast']);
    expect(tiersOf(answered({ service_tier: 'flex' }, { service_tier: 'priority' })).tiers).toEqual(['flex']);
  });

  it('is that of the settings for a summary, too', () => {
    const own = record('rc', [50, 0, 1]);
    const { session } = read([
      ...head,
      settings('flex'),
      ...answered(),
      own,
      compacted({ message: 's', compaction_response_id: 'rc' }),
    ]);
    expect(session.abandoned).toMatchObject([{ tier: 'flex' }]);
  });

  it('comes with the model, where no turn names one', () => {
    const { session, findings } = read([meta('s1'), settings('default'), ...prompt('go'), ...answered()]);
    expect(session).toMatchObject({ model: 'gpt-5.6-sol', requests: [{ model: 'gpt-5.6-sol' }] });
    expect(findings.count('no-model')).toBe(0);
  });
});
