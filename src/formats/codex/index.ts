import type { Format } from '../format.ts';
import { assemble } from './assembly.ts';
import { idOf } from './facts.ts';
import { isRolloutLine, readLine } from './lines.ts';
import { readLogs } from './sections.ts';
import { toolNames } from './tools.ts';

/** The rollout files of Codex CLI and Codex Desktop, with and without the wrapper around each line. */
export const codex = {
  name: 'codex',
  title: 'Codex CLI and Desktop rollouts',
  supplies: { text: true, times: true, usage: 'read' },
  tools: toolNames,
  sniff: (head) => head.some(isRolloutLine),
  sessionOf(head) {
    const header = head.map(readLine).find((line) => line?.type === 'session_meta');
    return header && idOf(header.payload);
  },
  *read(source, context) {
    for (const log of readLogs(source, context.findings)) {
      const session = assemble(log, source.path, context);
      if (session) yield session;
    }
  },
} satisfies Format;
