import { exitCodes } from '../../errors.ts';
import { listTable, pageText } from '../../text/index.ts';
import { installedLocations } from '../inputs.ts';
import type { Io } from '../io.ts';

/** `ctxsim` alone: what can be done here, with the sessions that are on this machine. */
export async function welcome(io: Io): Promise<number> {
  const locations = installedLocations(io);
  const parts =
    locations.length === 0
      ? [
          'No sessions of Claude Code, Codex or pi were found here. Name your own:',
          listTable([
            ['', 'ctxsim replay path/to/session.jsonl', 'the savings table'],
            ['', 'ctxsim inspect path/to/session.jsonl', 'what is in a transcript'],
            ['', 'ctxsim list policies', 'what can be compared'],
          ]),
        ]
      : [
          ['Sessions were found in:', ...locations.map(({ agent, path }) => `  ${agent}: ${path}`)],
          'Try:',
          listTable([
            ['', 'ctxsim replay', 'the savings table of all of them'],
            ['', 'ctxsim replay --policy elide:recent_turns=0..8', 'one setting, value by value'],
            ['', 'ctxsim inspect', 'what was read'],
          ]),
        ];
  const what = 'ctxsim replays recorded agent sessions through context policies and prints what each would cost.';
  io.out(pageText([what, ...parts], io));
  return exitCodes.done;
}
