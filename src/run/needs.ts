import { CtxsimError } from '../errors.ts';
import type { PolicyNeed } from '../policies/policy.ts';
import type { Session } from '../session/index.ts';

const supplied: Readonly<Record<PolicyNeed, (session: Session) => boolean>> = {
  times: ({ requests }) => requests.some(({ time }) => time !== undefined),
  tools: namesTools,
};

/** What of a policy's needs a session cannot meet. */
export function unmetNeeds(session: Session, needs: readonly PolicyNeed[] = []): PolicyNeed[] {
  return needs.filter((need) => !supplied[need](session));
}

/** Whether a policy stopped because a content-free session did not keep the size of a text that it puts into the view. */
export function isMissingSize(error: unknown): boolean {
  return error instanceof CtxsimError && error.code === 'size-not-kept';
}

/** A conversation that used no tool lacks nothing; calls without names, or blocks of which only tokens are known, do. */
function namesTools({ blocks }: Session): boolean {
  if (blocks.some(({ tool, action }) => tool !== undefined || action !== undefined)) return true;
  const hasCalls = blocks.some(({ kind }) => kind === 'call' || kind === 'result');
  return !hasCalls && blocks.some(({ text, size }) => (size?.chars ?? text?.length ?? 0) > 0);
}
