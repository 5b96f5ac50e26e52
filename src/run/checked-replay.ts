import type { PolicyKind } from '../policies/policy.ts';
import type { LaneReplay } from '../replay/index.ts';
import { isMissingSize } from './needs.ts';
import { policyFault } from './policy-fault.ts';

/**
 * A replay of a row, from `replay`, which is told whether it is the first. What the engine refuses of a policy from a file is
 * the file's fault; and it is replayed twice, because a number that another run does not repeat is worth nothing.
 */
export function checkedReplay(
  { file }: PolicyKind,
  session: string,
  replay: (isFirst: boolean) => LaneReplay,
): LaneReplay {
  if (file === undefined) return replay(true);
  try {
    const first = replay(true);
    if (JSON.stringify(replay(false)) === JSON.stringify(first)) return first;
  } catch (error) {
    // Another member of its chain cannot go on with this session.
    if (isMissingSize(error)) throw error;
    throw policyFault(file, `in session ${session}`, error);
  }
  const error = new Error('a second replay of it came out otherwise');
  throw policyFault(file, `in session ${session}`, error);
}
