import { join, resolve } from 'node:path';
import { type KeptOutcomes, openStore } from '../run/index.ts';
import { formatCount } from '../units.ts';
import { type Io, say } from './io.ts';
import type { PriceFlags } from './price-book.ts';
import { codeDigest } from './version.ts';

/** Options of every command that keeps outcomes. */
export interface StoreFlags {
  /** A folder of the user's; false: nothing is kept. */
  readonly store?: string | false;
}

/** What a run keeps and finds again, and what was wrong with it. */
export interface RunStore {
  readonly kept: KeptOutcomes | undefined;
  /** Says once, on stderr, what could not be used or kept. */
  reportFaults(io: Io, quiet: boolean): void;
}

/** Where outcomes are kept: the folder that was named, else the user's cache folder (XDG base directories). */
export function storeFolder(io: Io, named: string | undefined): string {
  if (named !== undefined) return resolve(io.cwd(), named);
  return join(io.env.XDG_CACHE_HOME || join(io.home, '.cache'), 'ctxsim');
}

/** The store of a run, from the flags. */
export function openRunStore(io: Io, { store, allowUnpriced }: StoreFlags & PriceFlags): RunStore {
  if (store === false) return { kept: undefined, reportFaults: () => {} };
  const folder = storeFolder(io, store);
  let badEntries = 0;
  let unwritable: string | undefined;
  const kept = {
    store: openStore(folder, (fault, what) => {
      if (fault === 'bad-entry') badEntries += 1;
      else unwritable ??= what;
    }),
    // The price list does not say whether a model that it lacks is refused.
    basis: `${codeDigest()} ${allowUnpriced === true}`,
  };
  return {
    kept,
    reportFaults(to, quiet) {
      if (quiet) return;
      if (badEntries > 0)
        say(
          to,
          `the store: damaged entries, replayed anew: ${formatCount(badEntries)} (ctxsim store --clear empties it)\n`,
        );
      if (unwritable !== undefined)
        say(to, `nothing was kept in ${folder}: ${unwritable} (--store DIR names another folder)\n`);
    },
  };
}
