import type { ParamSpec, Policy, PolicyKind, Setting } from './policy.ts';

type Params = Readonly<Record<string, ParamSpec>>;

/** The values of declared settings: numbers, or for choices and models text. */
type SettingsOf<P extends Params> = {
  readonly [K in keyof P]: P[K]['default'] extends number ? number : P[K]['default'] extends string ? string : Setting;
};

/** A policy of the user's own, the default export of a file. It is called what its file is called on the command line. */
export interface PolicyDefinition<P extends Params = Params>
  extends Pick<PolicyKind, 'needs' | 'needsFor' | 'normalize' | 'usesWindow' | 'editsInsideTurns'> {
  /** One sentence: what it does. */
  readonly summary: string;
  /** Where its rules come from. */
  readonly source?: string;
  readonly params?: P;
  /** A fresh policy for one segment of a session; throw an Error where settings contradict each other. */
  create(settings: SettingsOf<P>): Policy;
}

/** Gives a policy its types; what it says is checked when its file is loaded, and what it does while it is replayed. */
export function definePolicy<const P extends Params>(definition: PolicyDefinition<P>): PolicyDefinition<P> {
  return definition;
}
