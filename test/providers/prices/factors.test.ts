import { expect, test } from 'vitest';
import { ctxsim } from '../../cli/run.ts';
import { tempFolder } from '../../temp.ts';

/** (write - read) / read per model, five-minute and one-hour writes (cases §5, providers.md §6). */
const factors: Readonly<Record<string, readonly [number, number]>> = {
  'claude-fable-5-1': [49, 79],
  'claude-mythos-5-1': [49, 79],
  'claude-fable-5': [11.5, 19],
  'claude-opus-5-5': [24, 39],
  'claude-opus-5': [11.5, 19],
  'claude-opus-4-8': [11.5, 19],
  'claude-opus-4-7': [11.5, 19],
  'claude-opus-4-6': [11.5, 19],
  'claude-opus-4-5': [11.5, 19],
  'claude-sonnet-5-5': [24, 39],
  'claude-sonnet-5': [11.5, 19],
  'claude-sonnet-4-6': [11.5, 19],
  'claude-sonnet-4-5': [11.5, 19],
  'claude-haiku-5-5': [11.5, 19],
  'claude-haiku-4-5': [11.5, 19],
  'gpt-6.1-sol': [24, 24],
  'gpt-6-sol': [11.5, 11.5],
  'gpt-6-luna': [11.5, 11.5],
  'gpt-6-astra': [11.5, 11.5],
  'gpt-5.6-sol': [11.5, 11.5],
  'gpt-5.5': [9, 9],
  'gpt-5.4': [9, 9],
  'gpt-5': [9, 9],
  'gpt-4.1': [3, 3],
  o3: [3, 3],
  'gemini-3.1-pro-preview': [9, 9],
  'gemini-2.5-pro': [9, 9],
  'deepseek-v4-pro': [29, 29],
  'deepseek-flash': [49, 49],
  'grok-4.6': [3, 3],
  'glm-5.3': [4.4, 4.4],
  'kimi-k3': [9, 19],
};

test('what changing a prefix costs per token, in reads of it, falls out of the price data', async () => {
  const folder = tempFolder();
  const { out } = await ctxsim(folder, ['list', 'models', '--format', 'json']);
  const models: { name: string; factor5m: number | null; factor1h: number | null }[] = JSON.parse(out);
  expect(models.length).toBeGreaterThan(60);
  const found = Object.fromEntries(models.map(({ name, factor5m, factor1h }) => [name, [factor5m, factor1h]]));
  expect(Object.fromEntries(Object.keys(factors).map((name) => [name, found[name]]))).toEqual(factors);
  const table = await ctxsim(folder, ['list', 'models', '--format', 'md']);
  expect(table.out.split('\n')[0]).toBe(
    '| name | provider | input | read | write5m | write1h | output | factor5m | factor1h | window | source |',
  );
  expect(table.out).toMatch(/\| gpt-4\.1 \| openai \| 2 \| 0\.5 \| 2 \| 2 \| 8 \| 3 \| 3 \| /);
});
