import type { Policy, PolicyKind, Settings } from './policy.ts';

/** One member of a pipeline: a family and all its settings. */
export interface Component {
  readonly kind: PolicyKind;
  readonly settings: Settings;
}

/** A chain of policies: at each event every member is asked in turn, on the view that the ones before it left. */
export function pipeline(members: readonly Policy[]): Policy {
  return {
    events: [...new Set(members.flatMap(({ events }) => events))],
    members,
    on: () => {
      throw new Error('the members of a pipeline are asked, not the pipeline');
    },
  };
}

/** Several families as one, in this order; a setting is called `family.key`, or `family#2.key` for the second of a name. */
export function pipelineKind(name: string, components: readonly Component[]): PolicyKind {
  const kinds = components.map(({ kind }) => kind);
  const prefixes = prefixesOf(kinds);
  const files = [...new Set(kinds.flatMap((kind) => kind.file ?? []))];
  const needs = [...new Set(kinds.flatMap((kind) => kind.needs ?? []))];
  return {
    name,
    summary: kinds.map((kind) => kind.summary).join(' Then: '),
    source: [...new Set(kinds.map((kind) => kind.source))].join('; '),
    params: Object.fromEntries(
      kinds.flatMap((kind, at) => Object.entries(kind.params).map(([key, spec]) => [`${prefixes[at]}${key}`, spec])),
    ),
    ...(needs.length > 0 ? { needs } : {}),
    ...(kinds.some((kind) => kind.usesWindow) ? { usesWindow: true as const } : {}),
    ...(kinds.some((kind) => kind.editsInsideTurns) ? { editsInsideTurns: true as const } : {}),
    ...(files.length > 0 ? { file: files.join(', ') } : {}),
    create: (settings) =>
      pipeline(kinds.map((kind, at) => kind.create(settingsOf(kind, prefixes[at] as string, settings)))),
  };
}

/** The settings of all members under their full names. */
export function pipelineSettings(components: readonly Component[]): Settings {
  const prefixes = prefixesOf(components.map(({ kind }) => kind));
  return Object.fromEntries(
    components.flatMap(({ settings }, at) =>
      Object.entries(settings).map(([key, value]) => [`${prefixes[at]}${key}`, value]),
    ),
  );
}

function settingsOf(kind: PolicyKind, prefix: string, settings: Settings): Settings {
  return Object.fromEntries(
    Object.keys(kind.params).flatMap((key) => {
      const value = settings[`${prefix}${key}`];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function prefixesOf(kinds: readonly PolicyKind[]): string[] {
  return kinds.map(({ name }, at) => {
    const earlier = kinds.slice(0, at).filter((kind) => kind.name === name).length;
    return earlier === 0 ? `${name}.` : `${name}#${earlier + 1}.`;
  });
}
