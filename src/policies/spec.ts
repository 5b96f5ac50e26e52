import { CtxsimError } from '../errors.ts';
import { type Registry, unknownName, unknownNameOfMany } from '../registry.ts';
import { type Component, pipelineKind, pipelineSettings } from './pipeline.ts';
import type { ParamSpec, PolicyKind, Preset, Setting, Settings } from './policy.ts';
import { type MemberText, splitChain } from './policy-text.ts';
import { mostPoints, parseValues } from './values.ts';

/** A policy with all its settings: one row of a table. A pipeline or a preset is a kind of its own. */
export interface PolicySpec {
  readonly kind: PolicyKind;
  /** Every setting, defaults included. */
  readonly settings: Settings;
  /** Name and the settings that were given: what the row is called. */
  readonly label: string;
  /** The preset of which it shows a part: beside it, to be seen and not to be set. */
  readonly partOf?: string;
}

/** One point of one member: what it is made of, and what it is called. */
interface Point {
  readonly name: string;
  readonly components: readonly Component[];
  readonly label: string;
  /** The same settings in parts of what the member stands for. */
  readonly parts: readonly Point[];
}

/** Every policy that has a name. */
interface Known {
  readonly registry: Registry<PolicyKind>;
  readonly presets: readonly Preset[];
  /** Policies from files, each called by the path that names it. */
  readonly files: readonly PolicyKind[];
}

/**
 * Reads `NAME[:key=value[,key=value…]]`, several of them chained with `+`. NAME is a family, a preset or one of `files`; a
 * setting behind a preset goes to every component that knows it. A value may be a list (a segment without `=` continues it)
 * or a range `from..to[:step]`; every combination is one spec. `all` is every family and every preset. Specs that come to
 * the same settings are given once. `withParts`: a preset at one setting brings the rows that show
 * what its parts do.
 * @throws CtxsimError naming the policy, parameter or value that is wrong, and what is known; also where settings contradict
 * each other.
 */
export function parsePolicies(
  texts: readonly string[],
  registry: Registry<PolicyKind>,
  presets: readonly Preset[] = [],
  files: readonly PolicyKind[] = [],
  withParts = false,
): PolicySpec[] {
  const known = { registry, presets, files };
  const specs = new Map<string, PolicySpec>();
  const add = (members: readonly Point[], partOf?: string) => {
    const components = members.flatMap((member) => member.components);
    const key = JSON.stringify(components.map(({ kind, settings }) => [kind.name, settings]));
    const known = specs.get(key);
    // What is asked for by name is no part, even where it stood there as one.
    if (known === undefined || (known.partOf !== undefined && partOf === undefined))
      specs.set(key, { ...specOf(members, components), ...(partOf === undefined ? {} : { partOf }) });
  };
  const everything = [...registry.names, ...presets.map(({ name }) => name)];
  for (const text of texts.flatMap((given) => (given === 'all' ? everything : given))) {
    const chains = chainsOf(text, known);
    for (const members of chains) add(members);
    const [single, ...others] = chains.flat();
    if (withParts && others.length === 0) for (const part of single?.parts ?? []) add([part], single?.name);
  }
  for (const { kind, settings } of specs.values()) kind.create(settings);
  return [...specs.values()];
}

/** Every combination of the points of a chain's members. */
function chainsOf(text: string, known: Known): Point[][] {
  let chains: Point[][] = [[]];
  for (const member of splitChain(text)) {
    const points = pointsOf(member, text, known);
    chains = chains.flatMap((chain) => points.map((point) => [...chain, point]));
    checkCount(chains.length, text);
  }
  return chains;
}

function specOf(members: readonly Point[], components: readonly Component[]): PolicySpec {
  const label = members.map((member) => member.label).join('+');
  const name = members.map((member) => member.name).join('+');
  const only = components[0];
  if (components.length === 1 && only) {
    return { kind: only.kind.name === name ? only.kind : { ...only.kind, name }, settings: only.settings, label };
  }
  const alone = components.find(({ kind }) => kind.standsAlone);
  if (alone) {
    throw new CtxsimError(
      'bad-policy',
      `--policy ${label}: ${alone.kind.name} cannot be chained`,
      'It knows the recorded view and no other; give it a row of its own.',
    );
  }
  return { kind: pipelineKind(name, components), settings: pipelineSettings(components), label };
}

function pointsOf({ name, settings: text }: MemberText, whole: string, known: Known): Point[] {
  const preset = known.presets.find((candidate) => candidate.name === name);
  const base = preset ? componentsOf(preset, known.registry) : [ofFamily(name, known)];
  const lists = text === undefined ? new Map<string, Setting[]>() : parseLists(text, name, base, whole);
  let given: Record<string, Setting>[] = [{}];
  for (const [key, values] of lists) {
    given = given.flatMap((point) => values.map((value) => ({ ...point, [key]: value })));
    checkCount(given.length, whole);
  }
  const pointOf = (settings: Settings, from: readonly Component[], part = ''): Point => ({
    name: `${name}${part}`,
    components: from.map(({ kind, settings: own }) => settle(kind, { ...own, ...knownTo(kind, settings) })),
    label: `${labelOf(name, settings)}${part}`,
    parts: [],
  });
  return given.map((settings) => ({
    ...pointOf(settings, base),
    parts: (preset?.parts ?? []).map(({ label, policy }) =>
      pointOf(settings, componentsOf({ name, policy }, known.registry), ` (${label})`),
    ),
  }));
}

/** Settings in the one form that all of their kind come to, and a family that needs what these settings need. */
function settle(kind: PolicyKind, given: Settings): Component {
  const settings = kind.normalize?.(given) ?? given;
  const needs = new Set([...(kind.needs ?? []), ...(kind.needsFor?.(settings) ?? [])]);
  return { kind: needs.size > 0 ? { ...kind, needs: [...needs] } : kind, settings };
}

function ofFamily(name: string, { registry, presets, files }: Known): Component {
  const kind = files.find((file) => file.name === name) ?? registry.find(name);
  if (!kind) {
    const known = [...registry.names, ...presets.map((preset) => preset.name)];
    throw unknownNameOfMany(registry.kind, name, known, 'ctxsim list policies');
  }
  return { kind, settings: Object.fromEntries(Object.entries(kind.params).map(([key, spec]) => [key, spec.default])) };
}

/** What a preset stands for. Throws a plain Error where it is no single point, because presets are our own data. */
function componentsOf(
  { name, policy }: Pick<Preset, 'name' | 'policy'>,
  registry: Registry<PolicyKind>,
): readonly Component[] {
  const [chain, ...others] = chainsOf(policy, { registry, presets: [], files: [] });
  if (!chain || others.length > 0) throw new Error(`preset ${name} stands for several policies`);
  return chain.flatMap(({ components }) => components);
}

/** `key=value` segments; a segment without `=` is one more value of the key before it. */
function parseLists(
  text: string,
  policy: string,
  components: readonly Component[],
  whole: string,
): Map<string, Setting[]> {
  const lists = new Map<string, Setting[]>();
  let key: string | undefined;
  for (const segment of text.split(',')) {
    const equals = segment.indexOf('=');
    if (equals !== -1) key = segment.slice(0, equals).trim();
    if (key === undefined) {
      throw new CtxsimError(
        'bad-policy',
        `--policy ${whole}: "${segment}" has no key`,
        'Write NAME:key=value,key=value.',
      );
    }
    const where = `--policy ${whole}: ${key}`;
    const values = specsOf(key, policy, components).map((spec) =>
      parseValues(segment.slice(equals + 1).trim(), spec, where),
    );
    lists.set(key, [...(lists.get(key) ?? []), ...(values[0] ?? [])]);
  }
  return lists;
}

/** What every component that knows a key says of it; all of them must accept its values. */
function specsOf(key: string, policy: string, components: readonly Component[]): ParamSpec[] {
  const specs = components.flatMap(({ kind: { params } }) => (Object.hasOwn(params, key) ? (params[key] ?? []) : []));
  if (specs.length > 0) return specs;
  const known = new Set(components.flatMap(({ kind }) => Object.keys(kind.params)));
  throw unknownName(`parameter of ${policy}`, key, [...known]);
}

function knownTo({ params }: PolicyKind, given: Settings): Settings {
  return Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(params, key)));
}

function labelOf(name: string, given: Settings): string {
  const settings = Object.entries(given).map(([key, value]) => `${key}=${value}`);
  return settings.length === 0 ? name : `${name}:${settings.join(',')}`;
}

function checkCount(count: number, text: string): void {
  if (count <= mostPoints) return;
  throw new CtxsimError(
    'bad-policy',
    `--policy ${text}: more than ${mostPoints} combinations`,
    'Use a shorter range or a larger step.',
  );
}
