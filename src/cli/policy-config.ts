import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxsimError, inFile } from '../errors.ts';
import { isPolicyFile, parsePolicies, policies, presets, splitChain } from '../policies/index.ts';
import type { Preset, SettingsFile } from '../policies/policy.ts';
import { unknownName } from '../registry.ts';
import type { Io } from './io.ts';

/**
 * `--policy` texts in which `config=PATH` has given way to the settings that the agent's own file at PATH holds. Several paths
 * make several texts; what is given beside it wins over the file.
 */
export async function withConfigs(io: Io, texts: readonly string[]): Promise<string[]> {
  const expanded: string[] = [];
  for (const text of texts) expanded.push(...(text.includes('config=') ? await expand(io, text) : [text]));
  return expanded;
}

async function expand(io: Io, text: string): Promise<string[]> {
  let chains: string[][] = [[]];
  for (const { name, settings } of splitChain(text)) {
    const members = await membersOf(io, name, settings, text);
    chains = chains.flatMap((chain) => members.map((member) => [...chain, member]));
  }
  return chains.map((chain) => chain.join('+'));
}

async function membersOf(io: Io, name: string, settings: string | undefined, whole: string): Promise<string[]> {
  const { paths, others, given } = splitSettings(settings);
  if (paths.length === 0 || isPolicyFile(name)) return [withSettings(name, settings === undefined ? [] : [settings])];
  const preset = presets.find((candidate) => candidate.name === name);
  if (!preset?.config) {
    const known = presets.filter(({ config }) => config).map((candidate) => candidate.name);
    throw new CtxsimError(
      'bad-policy',
      `--policy ${whole}: ${name} has no settings file`,
      `config=PATH is known to: ${known.join(', ')}.`,
    );
  }
  const members: string[] = [];
  for (const path of paths) {
    const own = settingsIn(path, await readConfig(io, path, preset.config), preset);
    members.push(
      withSettings(name, [...own.filter(([key]) => !given.has(key)).map((pair) => pair.join('=')), ...others]),
    );
  }
  return members;
}

/** The values of `config`, the other segments, and the keys that those give. */
function splitSettings(settings = ''): { paths: string[]; others: string[]; given: Set<string> } {
  const paths: string[] = [];
  const others: string[] = [];
  const given = new Set<string>();
  let key = '';
  for (const segment of settings.split(',')) {
    const equals = segment.indexOf('=');
    if (equals !== -1) key = segment.slice(0, equals).trim();
    if (key === 'config') paths.push(segment.slice(equals + 1).trim());
    else {
      others.push(segment);
      given.add(key);
    }
  }
  return { paths, others, given };
}

function withSettings(name: string, segments: readonly string[]): string {
  return segments.length === 0 ? name : `${name}:${segments.join(',')}`;
}

async function readConfig(io: Io, path: string, { form }: SettingsFile): Promise<unknown> {
  try {
    const text = readFileSync(resolve(io.cwd(), path), 'utf8');
    return form === 'json' ? JSON.parse(text) : (await import('smol-toml')).parse(text);
  } catch (error) {
    // The TOML reader draws the place below its message.
    const [message = ''] = (error as Error).message.split('\n');
    throw new CtxsimError('bad-config', `config=${path}: ${message}`, `It must be a ${form.toUpperCase()} file.`);
  }
}

/** What the file sets, checked as the agent itself would. */
function settingsIn(path: string, content: unknown, preset: Preset): [string, number][] {
  const { table, keys } = preset.config as SettingsFile;
  const where = table === undefined ? `config=${path}` : `config=${path}, [${table}]`;
  const holder = tableOf(content, table, where);
  const unknown = table === undefined ? undefined : Object.keys(holder).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw inFile(unknownName(`setting of ${preset.name}`, unknown, keys), where);
  const own = keys.flatMap((key): [string, number][] => (key in holder ? [[key, numberIn(holder, key, where)]] : []));
  try {
    parsePolicies(
      [
        withSettings(
          preset.name,
          own.map((pair) => pair.join('=')),
        ),
      ],
      policies,
      presets,
    );
  } catch (error) {
    throw error instanceof CtxsimError ? inFile(error, where) : error;
  }
  return own;
}

/** The settings; a file that does not name them leaves all at their defaults. */
function tableOf(content: unknown, table: string | undefined, where: string): Readonly<Record<string, unknown>> {
  const holder = table === undefined || !isTable(content) ? content : (content[table] ?? {});
  if (isTable(holder)) return holder;
  throw new CtxsimError('bad-config', `${where} holds no settings`, 'Settings are written as key and value.');
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(holder: Readonly<Record<string, unknown>>, key: string, where: string): number {
  const value = holder[key];
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new CtxsimError('bad-config', `${where}: ${key} must be a number`, `It is ${JSON.stringify(value)}.`);
}
