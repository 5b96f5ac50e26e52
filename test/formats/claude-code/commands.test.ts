import { describe, expect, test } from 'vitest';
import { humanTurns } from '../../../src/session/session.ts';
import { assistant, attachment, call, log, read, result, system, text, usage, user } from './transcript.ts';

const echo = (name: string, args = '') =>
  `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
const builtIn = (name: string) =>
  `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args></command-args>`;
const expanded = (uuid: string, parent: string, more: object = {}) =>
  user(uuid, parent, [text('Follow the list.')], { isMeta: true, ...more });
const answer = (uuid: string, parent: string, block = text('Done.')) =>
  assistant(uuid, parent, `m${uuid}`, block, usage(9, 1));

const turnsOf = (lines: Parameters<typeof read>[0]) => humanTurns(read(lines).session);

describe('a command that the model answers is a prompt', () => {
  test('with the words that it stands for behind it', () => {
    const { session, counts } = read([
      user('u1', null, echo('ship', 'one'), { promptId: 'p1' }),
      expanded('u2', 'u1', { promptId: 'p1' }),
      answer('a1', 'u2', call('t1')),
      result('r1', 'a1', 't1'),
      answer('a2', 'r1'),
      user('u3', 'a2', echo('ship', 'two'), { promptId: 'p2' }),
      expanded('u4', 'u3', { promptId: 'p2' }),
      answer('a3', 'u4'),
    ]);
    expect(humanTurns(session)).toBe(2);
    expect(session.requests.map(({ turn }) => turn)).toEqual([0, 0, 1]);
    expect(log(session).slice(0, 2)).toEqual([`prompt ${echo('ship', 'one')}`, 'meta Follow the list.']);
    expect(counts).toEqual({});
  });

  test('in old files, which name no prompt, and with attachments in between', () => {
    expect(
      turnsOf([
        user('u1', null, builtIn('ship')),
        expanded('u2', 'u1'),
        attachment('x1', 'u2', { type: 'date_change', newDate: '2026-01-02' }),
        answer('a1', 'x1'),
      ]),
    ).toBe(1);
  });

  test('also where the answer follows at once', () => {
    expect(turnsOf([user('u1', null, echo('ship')), answer('a1', 'u1')])).toBe(1);
  });

  test('one whose words are no meta line is one turn, not two', () => {
    expect(turnsOf([user('u1', null, echo('ship')), user('u2', 'u1', 'Follow the list.'), answer('a1', 'u2')])).toBe(1);
  });
});

describe('a command that the harness carries out is none', () => {
  const stdout = '<local-command-stdout>ok</local-command-stdout>';
  const then = (lines: Parameters<typeof read>[0]) => [...lines, user('z', null, 'go'), answer('y', 'z')];

  test.each(['clear', 'compact', 'model'])('/%s, whatever follows', (name) => {
    expect(
      turnsOf([user('u0', null, 'go'), answer('a0', 'u0'), user('u1', 'a0', builtIn(name)), answer('a1', 'u1')]),
    ).toBe(1);
    const shown = [
      user('u1', null, builtIn(name)),
      user('u2', 'u1', stdout),
      user('u3', 'u2', 'go'),
      answer('a1', 'u3'),
    ];
    expect(turnsOf(shown)).toBe(1);
  });

  test('one that shows its output, in a line of either kind', () => {
    expect(turnsOf([user('u1', null, builtIn('cost')), user('u2', 'u1', stdout), answer('a1', 'u2')])).toBe(0);
    expect(turnsOf([user('u1', null, builtIn('cost')), system('s1', 'u1', 'local_command'), answer('a1', 's1')])).toBe(
      0,
    );
  });

  test('one that nobody answered, or behind which a person spoke, or another command was given', () => {
    expect(turnsOf(then([user('u1', null, echo('ship')), expanded('u2', 'u1')]))).toBe(1);
    expect(
      turnsOf([
        user('u1', null, echo('ide')),
        user('u2', 'u1', echo('ship')),
        expanded('u3', 'u2'),
        answer('a1', 'u3'),
      ]),
    ).toBe(1);
  });

  test('one that is followed by a line of another prompt, or by a caveat', () => {
    const other = [
      user('u1', null, echo('ide'), { promptId: 'p1' }),
      expanded('u2', 'u1', { promptId: 'p2' }),
      answer('a1', 'u2'),
    ];
    expect(turnsOf(other)).toBe(0);
    const caveat = user('u2', 'u1', '<local-command-caveat>x</local-command-caveat>', { isMeta: true });
    expect(turnsOf([user('u1', null, builtIn('ide')), caveat, answer('a1', 'u2')])).toBe(0);
  });

  test('one that the harness answered in the name of the model', () => {
    const notice = { message: { id: 'x', model: '<synthetic>', content: [text('No response requested.')] } };
    const { sessions } = read([
      user('u1', null, echo('exit')),
      assistant('a1', 'u1', 'x', undefined, undefined, notice),
    ]);
    expect(sessions).toEqual([]);
  });
});
