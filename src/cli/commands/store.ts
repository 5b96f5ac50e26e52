import { exitCodes } from '../../errors.ts';
import { clearStore, storeFacts } from '../../run/index.ts';
import { pageText } from '../../text/index.ts';
import { formatCount } from '../../units.ts';
import type { Io } from '../io.ts';
import { storeFolder } from '../outcome-store.ts';

interface StoreCommandFlags {
  readonly store?: string;
  readonly clear?: boolean;
  readonly format: 'table' | 'json';
}

/** `ctxsim store`: where outcomes are kept, how many, how large; `--clear` removes them. */
export function store(io: Io, flags: StoreCommandFlags): number {
  const folder = storeFolder(io, flags.store);
  const facts = storeFacts(folder);
  if (flags.clear) clearStore(folder);
  if (flags.format === 'json') {
    io.out(`${JSON.stringify({ folder, ...facts, cleared: flags.clear === true }, null, 2)}\n`);
    return exitCodes.done;
  }
  const size = `${formatCount(facts.bytes)} bytes`;
  io.out(pageText([[folder, `${flags.clear ? 'removed: ' : ''}outcomes ${formatCount(facts.entries)} · ${size}`]], io));
  return exitCodes.done;
}
