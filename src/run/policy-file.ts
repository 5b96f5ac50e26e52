import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PolicyDefinition } from '../policies/index.ts';
import type { Plan } from '../policies/plan.ts';
import type { Policy, PolicyEvent, PolicyKind, ReadonlyState } from '../policies/policy.ts';
import { policyFault } from './policy-fault.ts';
import { check, definitionSchema, needsSchema, planSchema, policySchema } from './policy-schema.ts';

/**
 * Loads a policy of the user's own: the default export of a module, made with `definePolicy`. It runs the file.
 * @param path as it was named; it becomes the policy's name.
 * @throws CtxsimError `bad-policy-file`, naming the file and what is wrong with it.
 */
export async function loadPolicyFile(path: string, cwd: string): Promise<PolicyKind> {
  let definition: unknown;
  try {
    ({ default: definition } = await import(pathToFileURL(resolve(cwd, path)).href));
  } catch (error) {
    throw policyFault(path, 'cannot be loaded', error);
  }
  return kindOf(path, definition);
}

function kindOf(file: string, exported: unknown): PolicyKind {
  guarded(file, 'its default export', () => check(definitionSchema, exported, 'the whole'));
  const definition = exported as PolicyDefinition;
  const { summary, source = file, params = {}, needs, usesWindow, editsInsideTurns } = definition;
  return {
    name: file,
    file,
    summary,
    source,
    params,
    ...(needs ? { needs } : {}),
    ...(usesWindow ? { usesWindow } : {}),
    ...(editsInsideTurns ? { editsInsideTurns } : {}),
    needsFor: (settings) =>
      guarded(file, 'needsFor', () => {
        const more = definition.needsFor?.(settings) ?? [];
        check(needsSchema, more, 'needs');
        return more;
      }),
    normalize: (settings) => guarded(file, 'normalize', () => definition.normalize?.(settings) ?? settings),
    create: (settings) =>
      guarded(file, 'create', () => {
        const policy: Policy = definition.create(settings);
        check(policySchema, policy, 'what it returns');
        return watched(policy, file, editsInsideTurns === true);
      }),
  };
}

/** The policy, held to what plans look like and to what its kind promises; the engine sees to the rest. */
function watched(policy: Policy, file: string, editsInsideTurns: boolean): Policy {
  return {
    events: policy.events,
    on: (event, state) =>
      guarded(file, `at ${event} of turn ${state.turn}, request ${state.round}`, () => {
        const plan = policy.on(event, state) ?? undefined;
        if (plan === undefined) return undefined;
        check(planSchema, plan, 'its plan');
        if (!editsInsideTurns) checkPromise(plan, event, state);
        return plan;
      }),
  };
}

/** Between the requests of a turn only what has not been sent yet may be changed, unless the kind says otherwise. */
function checkPromise({ edits = [] }: Plan, event: PolicyEvent, state: ReadonlyState): void {
  if (event === 'turn_end' || event === 'turn_start' || (state.round <= 1 && event !== 'post_response')) return;
  const wasSent = ({ from }: { from: number }) => {
    const origin = state.originOf(from);
    return origin === -1 || origin < state.ingestFirst;
  };
  if (edits.some(wasSent))
    throw new Error('it changes what was sent inside a turn; say so with editsInsideTurns: true');
}

function guarded<T>(file: string, doing: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw policyFault(file, doing, error);
  }
}
