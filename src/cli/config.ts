import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isMoreBetter } from '../analysis/index.ts';
import { CtxsimError } from '../errors.ts';
import { unknownName } from '../registry.ts';
import { type CheckRule, type Config, checkMetrics, configSchema } from '../results/index.ts';
import type { Io } from './io.ts';

/** A configuration and the file that holds it. */
export interface FoundConfig {
  readonly file: string;
  readonly config: Config;
}

/**
 * The nearest `ctxsim.config.json`, or `ctxsim` in a `package.json`, from the working directory upward. Nothing in it is run.
 * @throws CtxsimError `bad-config`, naming the file, the place in it and what is allowed there.
 */
export function findConfig(io: Io): FoundConfig | undefined {
  for (let folder = resolve(io.cwd()); ; folder = dirname(folder)) {
    const own = join(folder, 'ctxsim.config.json');
    if (existsSync(own)) return { file: own, config: parseConfig(readJson(own), own, []) };
    const shared = join(folder, 'package.json');
    if (existsSync(shared)) {
      const content = readJson(shared);
      if (isObject(content) && 'ctxsim' in content)
        return { file: shared, config: parseConfig(content.ctxsim, shared, ['ctxsim']) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CtxsimError('bad-config', `${file}: ${(error as Error).message}`, 'It must be a JSON file.');
  }
}

function parseConfig(content: unknown, file: string, at: readonly string[]): Config {
  const parsed = configSchema.safeParse(content);
  if (parsed.success) {
    parsed.data.checks?.forEach((rule, index) => {
      checkRule(rule, `${file}, ${[...at, 'checks', index].join('.')}`);
    });
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const place = [...at, ...(issue?.path ?? [])].join('.') || 'the top';
  if (issue?.code === 'unrecognized_keys') {
    const known = issue.path.includes('checks') ? ruleKeys : Object.keys(configSchema.shape);
    const { message, hint } = unknownName('key', issue.keys[0] ?? '', known);
    throw new CtxsimError('bad-config', `${file}, ${place}: ${message}`, hint);
  }
  throw new CtxsimError('bad-config', `${file}, ${place}: ${issue?.message}`, `Metrics: ${checkMetrics.join(', ')}.`);
}

const bounds = ['max', 'maxIncrease', 'min', 'maxDecrease'] as const;
const ruleKeys = ['metric', 'policy', 'sessions', ...bounds, 'over', 'level'];

/** What the schema cannot say: a rule needs a bound, and bounds have a direction. */
function checkRule(rule: CheckRule, place: string): void {
  const given = bounds.filter((bound) => rule[bound] !== undefined);
  const allowed = isMoreBetter(rule.metric) ? (['min', 'maxDecrease'] as const) : (['max', 'maxIncrease'] as const);
  const wrong = given.find((bound) => !allowed.some((known) => known === bound));
  if (given.length === 0 || wrong !== undefined) {
    throw new CtxsimError(
      'bad-config',
      `${place}: ${wrong === undefined ? 'a check without a bound checks nothing' : `${wrong} is no bound of ${rule.metric}`}`,
      `Give ${allowed.join(' or ')} for ${rule.metric}.`,
    );
  }
  try {
    if (rule.sessions !== undefined) new RegExp(rule.sessions);
  } catch (error) {
    throw new CtxsimError(
      'bad-config',
      `${place}.sessions: ${(error as Error).message}`,
      'Write a regular expression.',
    );
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
