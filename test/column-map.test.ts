import { describe, expect, test } from 'vitest';
import { checkMapKeys, findColumns, parseColumnMap } from '../src/column-map.ts';
import { errorOf } from './errors.ts';

describe('--map', () => {
  test('is a list of keys and columns', () => {
    expect(parseColumnMap('session=trace, input = in ,prefix=a+b')).toEqual({
      session: 'trace',
      input: 'in',
      prefix: 'a+b',
    });
  });

  test.each(['session', 'session=', '=trace', 'a=b,,c=d', 'a=b,a=c', ''])('%j is none', (text) => {
    expect(errorOf(() => parseColumnMap(text)).code).toBe('bad-map');
  });

  test('a key that nobody knows is named, with what it may have been', () => {
    const error = errorOf(() => checkMapKeys(['sesion'], ['session', 'time']));
    expect(error.message).toBe('unknown key of --map "sesion"');
    expect(error.hint).toBe('Did you mean "session"? Known: session, time.');
  });
});

describe('columns', () => {
  const keys = ['session', 'input', 'prefix'] as const;

  test('are those of the map, else those of the same name, else none', () => {
    expect(findColumns({ input: 'in' }, keys, ['session', 'in', 'input'])).toEqual({
      session: ['session'],
      input: ['in'],
    });
  });

  test('are added with +, unless one is called so', () => {
    expect(findColumns({ input: 'a + b' }, keys, ['a', 'b']).input).toEqual(['a', 'b']);
    expect(findColumns({ input: 'a+b' }, keys, ['a', 'b', 'a+b']).input).toEqual(['a+b']);
  });

  test('that are not there are named, with what there is', () => {
    const error = errorOf(() => findColumns({ prefix: 'tools+sytem' }, keys, ['tools', 'system']));
    expect(error.message).toBe('unknown column "sytem"');
    expect(error.hint).toBe('Did you mean "system"? Known: tools, system.');
  });

  test('a key named like a prototype is no key', () => {
    expect(findColumns(JSON.parse('{}'), ['constructor'], [])).toEqual({});
  });
});
