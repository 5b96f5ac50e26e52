/** Settings that somebody can set: as `--policy` takes them, and where. */
export interface Candidate {
  readonly policy: string;
  /** Whose settings they are; `own`: a rule to build into a harness. */
  readonly family: 'heph' | 'bi' | 'other' | 'own';
  /** File, table or place, in few words. */
  readonly where: string;
}

const hephFile = 'heph: [context] of its TOML';
const biFile = 'Bi: .bi/config.json';
const api = 'Anthropic API: context_management';
const harness = 'your harness';

/**
 * What `recommend` tries, the simplest and gentlest first: among settings that save alike the first is named. Grids of the two
 * seeds' documents, of a provider's own editing, and of our own rules beside them.
 */
export const candidates: readonly Candidate[] = [
  // Nothing is ever cut.
  { policy: 'keepalive:pings=1,2', family: 'own', where: harness },
  // One number in a file; the more turns stay, the less is lost.
  { policy: 'heph:recent_turns=6,5,4,3,2,1,0', family: 'heph', where: hephFile },
  { policy: 'bi:recent_turns_full=12,9,6,4,3,2', family: 'bi', where: biFile },
  { policy: 'anthropic-clear-tool-uses:trigger=100000,50000,keep_uses=10,3', family: 'other', where: api },
  // Two numbers, and a number that is fixed in the source.
  { policy: 'heph:recent_turns=1,0,high_water=0.6,0.4,low_water=0.3', family: 'heph', where: hephFile },
  { policy: 'bi:recent_turns_full=6,3,slack=4,8', family: 'bi', where: `${biFile}; slack in its source` },
  // Rules that somebody has to build.
  { policy: 'elide-cold:keep_turns=2,1,0', family: 'own', where: harness },
  { policy: 'elide-batch:keep_turns=2,1,0', family: 'own', where: harness },
  { policy: 'elide-hysteresis:trigger=100000,60000,target=50000,30000', family: 'own', where: harness },
  { policy: 'elide-keepalive:recent_turns=2,1,0', family: 'own', where: harness },
];
