import type { Io } from './io.ts';

/** Says on a terminal's stderr which file is being read, and nothing anywhere else. The line is wiped with the last file. */
export function progressOf(io: Io, quiet: boolean): (done: number, total: number, path: string) => void {
  if (quiet || !io.stderrIsTerminal) return () => {};
  return (done, total, path) => {
    const line = `reading ${done + 1} of ${total}: ${path}`.slice(0, 79);
    io.err(`\r\u001b[K${done + 1 === total ? '' : line}`);
  };
}
