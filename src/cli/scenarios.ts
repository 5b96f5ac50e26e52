import { CtxsimError } from '../errors.ts';
import { planners } from '../providers/index.ts';
import { ttlClasses } from '../providers/provider.ts';
import type { JobOptions, ScenarioJob } from '../run/index.ts';

/** Flags that take comma lists: each combination of their values is a scenario of its own. */
export interface ScenarioFlags {
  readonly model?: string;
  readonly breakpoints?: string;
  readonly ttl: string;
}

/** A job under every combination of the models, lifetimes and planners that were named. */
export function scenariosOf(
  flags: ScenarioFlags,
  job: Omit<JobOptions, 'model' | 'ttl' | 'breakpoints'>,
): ScenarioJob[] {
  const models = distinct(flags.model?.split(',') ?? [undefined]);
  const ttls = distinct(flags.ttl.split(',').map(ttlOf));
  const breakpoints = distinct(flags.breakpoints?.split(',').map((name) => planners.get(name).name) ?? [undefined]);
  return models.flatMap((model) =>
    ttls.flatMap((ttl) =>
      breakpoints.map((planner) => ({
        name: [
          ...(models.length > 1 ? [`model=${model}`] : []),
          ...(ttls.length > 1 ? [`ttl=${ttl}`] : []),
          ...(breakpoints.length > 1 ? [`breakpoints=${planner}`] : []),
        ].join(','),
        job: { ...job, model, ttl, breakpoints: planner },
      })),
    ),
  );
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function ttlOf(text: string): JobOptions['ttl'] {
  const ttl = [...ttlClasses, 'recorded' as const].find((name) => name === text);
  if (ttl) return ttl;
  throw new CtxsimError(
    'unknown-name',
    `--ttl ${text}: no such lifetime`,
    `Known: recorded, ${ttlClasses.join(', ')}; several with commas.`,
  );
}
