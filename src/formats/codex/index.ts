import type { Format } from '../format.ts';
import { assemble } from './assembly.ts';
import { isRolloutLine } from './lines.ts';
import { readLog } from './log.ts';
import { toolNames } from './tools.ts';

/** The rollout files of Codex CLI and Codex Desktop, with and without the wrapper around each line. */
export const codex = {
  name: 'codex',
  title: 'Codex CLI and Desktop rollouts',
  supplies: { text: true, times: true, usage: 'read' },
  tools: toolNames,
  sniff: (head) => head.some(isRolloutLine),
  *read(source, context) {
    const session = assemble(readLog(source, context.findings), source.path, context);
    if (session) yield session;
  },
} satisfies Format;
