import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/program.ts';

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process, in a folder, with an empty home unless one is given. */
export async function ctxsim(cwd: string, args: readonly string[], changes: Partial<Io> = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const io: Io = {
    argv: args,
    env: {},
    home: `${cwd}/no-home`,
    cwd: () => cwd,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    width: undefined,
    errWidth: undefined,
    colorOut: false,
    stderrIsTerminal: false,
    now: () => 0,
    ...changes,
  };
  const status = await run(io);
  return { status, out, err };
}
