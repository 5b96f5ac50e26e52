import type { TtlClass } from '../provider.ts';

/** Lifetimes of a provider that sells none: the same whatever is asked for, but for a day's retention and for never. */
export function idleLifetimes(idleSeconds: number, sellsDay = false): Readonly<Record<TtlClass, number>> {
  const idle = idleSeconds * 1000;
  return { '5m': idle, '1h': idle, '24h': sellsDay ? 86_400_000 : idle, never: Number.POSITIVE_INFINITY };
}
