import { CtxsimError } from '../errors.ts';
import type { CachedModel, CacheModel, CacheRules, TtlClass } from './provider.ts';

/** What a user asked of a cache. */
export interface Asked {
  /** Named by the user; otherwise it is the provider's own. */
  readonly cache?: string | undefined;
  readonly ttl: TtlClass | 'recorded';
  readonly breakpoints?: string | undefined;
}

/**
 * The rules under which a model is cached, if what was asked for can be had.
 * @throws CtxsimError `bad-cache`: another provider's model, a lifetime that is not sold, markers where there are none.
 */
export function checkCache(cache: CacheModel, model: CachedModel, asked: Asked, timeMs?: number): CacheRules {
  const { providers, name } = cache;
  if (asked.cache !== undefined && providers && !providers.includes(model.provider)) {
    throw new CtxsimError(
      'bad-cache',
      `--cache ${name} holds models of ${providers.join(', ')}, and ${model.model} is sold by ${model.provider}`,
      'Leave --cache out for the cache of its own provider, or name ideal, none, vllm or sglang, which hold any.',
    );
  }
  const rules = cache.rulesFor(model, timeMs);
  const lifetime = rules.notes.find(({ rule }) => rule === 'lifetime')?.value ?? '';
  if (asked.ttl !== 'recorded' && !rules.ttls.includes(asked.ttl)) {
    throw new CtxsimError(
      'bad-cache',
      `--ttl ${asked.ttl}: the ${name} cache has no such lifetime for ${model.model} (${lifetime})`,
      `It takes ${rules.ttls.join(', ')}, or recorded. See: ctxsim list providers ${name}`,
    );
  }
  if (asked.breakpoints !== undefined && !rules.usesMarkers && asked.cache === undefined) {
    throw new CtxsimError(
      'bad-cache',
      `--breakpoints ${asked.breakpoints}: the ${name} cache works by itself for ${model.model} and takes no markers`,
      `Leave --breakpoints out. See: ctxsim list providers ${name}`,
    );
  }
  return rules;
}
