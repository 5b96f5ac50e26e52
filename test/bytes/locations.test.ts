import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultLocations } from '../../src/bytes/index.ts';

const home = join('/', 'home', 'u');
const paths = (env: Record<string, string>) => defaultLocations(env, home, () => true).map(({ path }) => path);
const pi = join(home, '.pi', 'agent', 'sessions');
const codex = [join(home, '.codex', 'sessions'), join(home, '.codex', 'archived_sessions')];

test('without settings, where the agents keep their sessions', () => {
  const claude = [join(home, '.claude', 'projects'), join(home, '.config', 'claude', 'projects')];
  expect(paths({})).toEqual([...claude, ...codex, pi]);
});

test('a list in the environment replaces the defaults', () => {
  const env = { CLAUDE_CONFIG_DIR: '/a, /b/projects', CODEX_HOME: '/c', PI_CODING_AGENT_DIR: '/d' };
  expect(paths(env)).toEqual([
    join('/a', 'projects'),
    '/b/projects',
    join('/c', 'sessions'),
    join('/c', 'archived_sessions'),
    join('/d', 'sessions'),
  ]);
});

test('an empty setting is none', () => {
  expect(paths({ CLAUDE_CONFIG_DIR: ' , ', CODEX_HOME: '', PI_CODING_AGENT_DIR: ' ' })).toHaveLength(5);
});

test('only what exists, with its agent', () => {
  const found = defaultLocations({}, home, (path) => path.endsWith('archived_sessions'));
  expect(found).toEqual([{ agent: 'codex', path: codex[1] }]);
});
