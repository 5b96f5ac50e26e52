import { isQueued, opensTurn } from './content.ts';
import type { Entry } from './entries.ts';
import { blocksOf, isNotice } from './merge.ts';
import { textField } from './records.ts';

/** Commands that the harness itself carries out, whatever stands behind them. */
const ownCommands = new Set(['clear', 'compact', 'model', 'exit', 'quit', 'resume', 'rewind']);

/** A command as it is echoed, in either order of its tags. */
const echo = /^\s*<command-(?:name|message)>/;
const name = /<command-name>\/?([^<]*)<\/command-name>/;

/**
 * The command lines with which a person asked the model for something: a command of the user's own (or one that stands for a
 * prompt, as /init does) is expanded in a line that no person typed, and the model answers. What the harness carries out
 * shows its output instead.
 */
export function askedCommands(entries: readonly Entry[]): Set<Entry> {
  return new Set(entries.filter((entry, at) => isEcho(entry) && isAnswered(entry, entries, at)));
}

function isEcho(entry: Entry): boolean {
  return entry.kind === 'user' && !entry.isMeta && !entry.isSummary && echo.test(textOf(entry));
}

function isAnswered(command: Entry, entries: readonly Entry[], at: number): boolean {
  if (ownCommands.has(name.exec(textOf(command))?.[1]?.trim() ?? '')) return false;
  for (let next = at + 1; next < entries.length; next += 1) {
    const entry = entries[next] as Entry;
    if (entry.kind === 'assistant') return !isNotice(entry);
    if (!goesOn(command, entry)) return false;
  }
  return false;
}

/** True for what may stand between a command and the answer to it. */
function goesOn({ promptId }: Entry, entry: Entry): boolean {
  switch (entry.kind) {
    case 'user':
      if (!entry.isMeta) return false;
      if (isCaveat(entry)) return false;
      return promptId === undefined || entry.promptId === undefined || entry.promptId === promptId;
    case 'attachment':
      return !isQueued(entry);
    case 'link':
      // The output of a command that the harness carried out.
      return entry.subtype !== 'local_command' && !opensTurn(entry);
    default:
      return false;
  }
}

/** Stands before commands that the harness carries out. */
function isCaveat(entry: Entry): boolean {
  return /^\s*(?:<local-command-|Caveat:)/.test(textOf(entry));
}

function textOf({ body }: Entry): string {
  return textField(blocksOf(body)[0], 'text') ?? '';
}
