import { CtxsimError } from '../errors.ts';
import { type Registry, unknownName } from '../registry.ts';
import type { ParamSpec, PolicyKind, Setting, Settings } from './policy.ts';

/** A policy with all its settings: one row of a table. */
export interface PolicySpec {
  readonly kind: PolicyKind;
  /** Every setting, defaults included. */
  readonly settings: Settings;
  /** Name and the settings that were given: what the row is called. */
  readonly label: string;
}

/** Most points that one `--policy` may stand for; a longer range is nearly always a typing error. */
const mostPoints = 10_000;

/**
 * Reads `NAME[:key=value[,key=value…]]`. A value may be a list (a segment without `=` continues it) or a range
 * `from..to[:step]`; every combination is one spec. Specs that come to the same settings are given once.
 * @throws CtxsimError naming the policy, parameter or value that is wrong, and what is known.
 */
export function parsePolicies(texts: readonly string[], registry: Registry<PolicyKind>): PolicySpec[] {
  const specs = new Map<string, PolicySpec>();
  for (const text of texts) {
    for (const spec of parsePolicy(text, registry)) {
      const key = `${spec.kind.name}:${JSON.stringify(spec.settings)}`;
      if (!specs.has(key)) specs.set(key, spec);
    }
  }
  return [...specs.values()];
}

function parsePolicy(text: string, registry: Registry<PolicyKind>): PolicySpec[] {
  const colon = text.indexOf(':');
  const kind = registry.get(colon === -1 ? text : text.slice(0, colon));
  const lists = colon === -1 ? new Map<string, Setting[]>() : parseLists(text.slice(colon + 1), kind, text);
  let points: Record<string, Setting>[] = [{}];
  for (const [name, values] of lists) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
    if (points.length > mostPoints) {
      throw new CtxsimError(
        'bad-policy',
        `--policy ${text}: more than ${mostPoints} combinations`,
        'Use a shorter range or a larger step.',
      );
    }
  }
  return points.map((given) => ({ kind, settings: withDefaults(kind, given), label: labelOf(kind, given) }));
}

/** `key=value` segments; a segment without `=` is one more value of the key before it. */
function parseLists(text: string, kind: PolicyKind, whole: string): Map<string, Setting[]> {
  const lists = new Map<string, Setting[]>();
  let name: string | undefined;
  for (const segment of text.split(',')) {
    const equals = segment.indexOf('=');
    if (equals !== -1) name = segment.slice(0, equals).trim();
    if (name === undefined) {
      throw new CtxsimError(
        'bad-policy',
        `--policy ${whole}: "${segment}" has no key`,
        'Write NAME:key=value,key=value.',
      );
    }
    const spec = kind.params[name];
    if (!Object.hasOwn(kind.params, name) || !spec)
      throw unknownName(`parameter of ${kind.name}`, name, Object.keys(kind.params));
    const values = lists.get(name) ?? [];
    values.push(...parseValues(segment.slice(equals + 1).trim(), spec, `--policy ${whole}: ${name}`));
    lists.set(name, values);
  }
  return lists;
}

function parseValues(text: string, spec: ParamSpec, where: string): Setting[] {
  if (spec.type === 'choice') {
    if (!spec.choices.includes(text)) throw unknownName(`value of ${where}`, text, spec.choices);
    return [text];
  }
  if (spec.type === 'model') return [text];
  const range = /^(-?[\d.]+?)\.\.(-?[\d.]+)(?::([\d.]+))?$/.exec(text);
  if (!range) return [checkNumber(text, spec, where)];
  const from = checkNumber(range[1] ?? '', spec, where);
  const to = checkNumber(range[2] ?? '', spec, where);
  const step = Number(range[3] ?? 1);
  if (!(step > 0) || to < from) {
    throw new CtxsimError(
      'bad-policy',
      `${where}: the range ${text} is empty`,
      'Write from..to or from..to:step, with from <= to and step > 0.',
    );
  }
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (count > mostPoints)
    throw new CtxsimError('bad-policy', `${where}: more than ${mostPoints} values`, 'Use a larger step.');
  return Array.from({ length: count }, (_, index) => checkNumber(String(from + index * step), spec, where));
}

function checkNumber(text: string, spec: Extract<ParamSpec, { default: number }>, where: string): number {
  const value = text === '' ? Number.NaN : Number(text);
  const whole = spec.type === 'number' || Number.isSafeInteger(value);
  if (Number.isFinite(value) && whole && value >= (spec.min ?? -Infinity) && value <= (spec.max ?? Infinity))
    return value;
  throw new CtxsimError('out-of-range', `${where}=${text} is out of range`, `It takes ${describeParam(spec)}.`);
}

/** What a parameter accepts, in words. */
export function describeParam(spec: ParamSpec): string {
  if (spec.type === 'choice') return spec.choices.join(' | ');
  if (spec.type === 'model') return "a model id, or main for the session's own";
  const noun = spec.type === 'integer' ? 'a whole number' : 'a number';
  if (spec.min !== undefined && spec.max !== undefined) return `${noun} from ${spec.min} to ${spec.max}`;
  if (spec.min !== undefined) return `${noun} of at least ${spec.min}`;
  return spec.max === undefined ? noun : `${noun} of at most ${spec.max}`;
}

function withDefaults(kind: PolicyKind, given: Settings): Settings {
  return Object.fromEntries(Object.entries(kind.params).map(([name, spec]) => [name, given[name] ?? spec.default]));
}

function labelOf(kind: PolicyKind, given: Settings): string {
  const settings = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  return settings.length === 0 ? kind.name : `${kind.name}:${settings.join(',')}`;
}
