import { exitCodes } from '../../errors.ts';
import { installedLocations } from '../inputs.ts';
import type { Io } from '../io.ts';

/** `ctxsim` alone: what can be done here, with the sessions that are on this machine. */
export async function welcome(io: Io): Promise<number> {
  const locations = installedLocations(io);
  io.out('ctxsim replays recorded agent sessions through context policies and prints what each would cost.\n\n');
  if (locations.length === 0) {
    io.out('No sessions of Claude Code, Codex or pi were found here. Name your own:\n\n');
    io.out('  ctxsim replay path/to/session.jsonl      the savings table\n');
    io.out('  ctxsim inspect path/to/session.jsonl     what is in a transcript\n');
    io.out('  ctxsim list policies                     what can be compared\n');
    return exitCodes.done;
  }
  io.out('Sessions were found in:\n');
  for (const { agent, path } of locations) io.out(`  ${agent}: ${path}\n`);
  io.out('\nTry:\n\n');
  io.out('  ctxsim replay                                    the savings table of all of them\n');
  io.out('  ctxsim replay --policy elide:recent_turns=0..8   one setting, value by value\n');
  io.out('  ctxsim inspect                                   what was read\n');
  return exitCodes.done;
}
