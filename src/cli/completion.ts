import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds the command that prints a shell's completion script, and answers it: commands, options and their choices. */
export function addCompletion(program: Command): void {
  tab(program);
}
