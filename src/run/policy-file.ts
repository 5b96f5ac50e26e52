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
    outputReserve: policy.outputReserve,
    windowOf: (model) => policy.windowOf?.(model),
    on: (event, state) =>
      guarded(file, `at ${event} of turn ${state.turn}, request ${state.round}`, () => {
        const plan = policy.on(event, state) ?? undefined;
        if (plan === undefined) return undefined;
        if (plan instanceof Promise) throw new Error('on is async; a plan is needed at once');
        check(planSchema, plan, 'its plan');
        checkBlocks(plan, state);
        if (!editsInsideTurns) checkPromise(plan, event, state);
        return plan;
      }),
  };
}

/** Blocks that a plan only refers to must be there, as those that it replaces must. */
function checkBlocks({ edits = [], stable }: Plan, state: ReadonlyState): void {
  if (stable !== undefined && state.positionOf(stable) === -1)
    throw new Error(`stable: block ${stable} is not in the view`);
  for (const { of } of edits.flatMap((edit) => edit.with)) if (of !== undefined) state.block(of);
}

/** Between the requests of a turn only what has not been sent yet may be changed, unless the kind says otherwise. */
function checkPromise({ edits = [] }: Plan, event: PolicyEvent, state: ReadonlyState): void {
  // The round is counted up when the request is about to be sent.
  const isFirst = state.round === 0 || (state.round === 1 && (event === 'pre_request' || event === 'overflow'));
  if (event === 'turn_end' || event === 'turn_start' || isFirst) return;
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
