import { CtxsimError } from '../errors.ts';
import { planners, withService } from '../providers/index.ts';
import { regions, serviceTiers, ttlClasses } from '../providers/provider.ts';
import type { JobOptions, ScenarioJob } from '../run/index.ts';

/** Flags that take comma lists: each combination of their values is a scenario of its own. */
export interface ScenarioFlags {
  readonly model?: string;
  readonly breakpoints?: string;
  readonly ttl: string;
  readonly serviceTier: string;
  readonly region: string;
}

/** A job under every combination of the models, service tiers, regions, lifetimes and planners that were named. */
export function scenariosOf(
  flags: ScenarioFlags,
  job: Omit<JobOptions, 'model' | 'ttl' | 'breakpoints'>,
): ScenarioJob[] {
  const models = distinct(flags.model === undefined ? [undefined] : namesIn('--model', flags.model));
  const tiers = listed('--service-tier', 'service tier', flags.serviceTier, ['recorded', ...serviceTiers]);
  const places = listed('--region', 'region', flags.region, ['recorded', ...regions]);
  const ttls = listed('--ttl', 'lifetime', flags.ttl, ['recorded', ...ttlClasses]);
  const breakpoints = distinct(
    flags.breakpoints === undefined
      ? [undefined]
      : namesIn('--breakpoints', flags.breakpoints).map((name) => planners.get(name).name),
  );
  const services = tiers.flatMap((tier) => places.map((region) => ({ tier, region })));
  const priced = services.map((service) => withService(job.prices, service));
  return models.flatMap((model) =>
    priced.flatMap((prices) =>
      ttls.flatMap((ttl) =>
        breakpoints.map((planner) => ({
          name: [
            ...(models.length > 1 ? [`model=${model}`] : []),
            ...(tiers.length > 1 ? [`service-tier=${prices.service.tier}`] : []),
            ...(places.length > 1 ? [`region=${prices.service.region}`] : []),
            ...(ttls.length > 1 ? [`ttl=${ttl}`] : []),
            ...(breakpoints.length > 1 ? [`breakpoints=${planner}`] : []),
          ].join(','),
          job: { ...job, prices, model, ttl, breakpoints: planner },
        })),
      ),
    ),
  );
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** The names in a comma list. @throws CtxsimError `bad-list` where one is empty. */
function namesIn(flag: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new CtxsimError('bad-list', `${flag} "${text}" has an empty name`, 'Leave out the comma that nothing follows.');
}

/** The names in a comma list, each of them one that is known. */
function listed<T extends string>(flag: string, what: string, text: string, known: readonly T[]): T[] {
  return distinct(
    namesIn(flag, text).map((given) => {
      const name = known.find((candidate) => candidate === given);
      if (name !== undefined) return name;
      throw new CtxsimError(
        'unknown-name',
        `${flag} ${given}: no such ${what}`,
        `Known: ${known.join(', ')}; several with commas.`,
      );
    }),
  );
}
