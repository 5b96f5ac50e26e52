import { CtxsimError } from '../errors.ts';
import { unknownName } from '../registry.ts';
import type { ParamSpec, Setting } from './policy.ts';

/** Most points that one `--policy` may stand for; a longer range is nearly always a typing error. */
export const mostPoints = 10_000;

/** The values that a text stands for: one, or those of a range `from..to[:step]`. @throws CtxsimError naming `where`. */
export function parseValues(text: string, spec: ParamSpec, where: string): Setting[] {
  if (spec.type === 'choice') {
    if (!spec.choices.includes(text)) throw unknownName(`value of ${where}`, text, spec.choices);
    return [text];
  }
  if (spec.type === 'model') return [checkModel(text, spec, where)];
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

function checkModel(text: string, spec: ParamSpec, where: string): string {
  if (text !== '') return text;
  throw new CtxsimError('bad-policy', `${where} names no model`, `It takes ${describeParam(spec)}.`);
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
