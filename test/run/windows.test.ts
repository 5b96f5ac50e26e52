import { expect, test } from 'vitest';
import { parsePolicies, policies, presets } from '../../src/policies/index.ts';
import { windowsOf } from '../../src/run/windows.ts';
import { sonnet } from '../sessions.ts';

const models = [
  { name: 'gpt-5', card: sonnet, limits: { window: 400_000, source: 'test' } },
  { name: 'gpt-5.4', card: sonnet, limits: { window: 272_000, source: 'test' } },
  { name: 'unheard-of', card: sonnet, limits: undefined },
];
const rows = (...texts: string[]) => parsePolicies(texts, policies, presets);

test('a window as it is sold, and what systems with a table of their own take it for', () => {
  expect(windowsOf(models, rows('full', 'pi'))).toEqual(['gpt-5 400,000', 'gpt-5.4 272,000', 'unheard-of unknown']);
  expect(windowsOf(models, rows('codex-local', 'openai-agents-sandbox-dynamic'))).toEqual([
    'gpt-5 400,000, 272,000 for codex-local',
    'gpt-5.4 272,000, 1,047,576 for openai-agents-sandbox-dynamic',
    'unheard-of unknown',
  ]);
});

test('a window that the user names is that of all', () => {
  expect(windowsOf(models.slice(0, 1), rows('codex-local'), 100_000)).toEqual(['gpt-5 100,000']);
});
