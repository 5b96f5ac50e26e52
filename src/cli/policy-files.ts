import { isPolicyFile, splitChain } from '../policies/index.ts';
import type { PolicyKind } from '../policies/policy.ts';
import { loadPolicyFile } from '../run/index.ts';
import type { Io } from './io.ts';

/** Loads every policy that is named by its path: nothing else on the command line runs a file. */
export async function loadPolicyFiles(io: Io, texts: readonly string[]): Promise<PolicyKind[]> {
  const paths = texts.flatMap((text) => splitChain(text).map(({ name }) => name)).filter(isPolicyFile);
  const kinds: PolicyKind[] = [];
  for (const path of new Set(paths)) kinds.push(await loadPolicyFile(path, io.cwd()));
  return kinds;
}
