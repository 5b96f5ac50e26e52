import type { Session, SessionFacts } from '../../session/index.ts';
import type { Format, ReadContext } from '../format.ts';
import { Assembly } from './assembly.ts';
import { Copies } from './copies.ts';
import type { Note } from './entries.ts';
import { textOf } from './records.ts';
import { type Header, isHeader, readHeader, readSections, type Section } from './sections.ts';
import { toolNames } from './tools.ts';
import { activePath } from './tree.ts';

/** The sessions of the pi coding agent and of its forks, as lists (version 1) and as trees. */
export const pi = {
  name: 'pi',
  title: 'pi coding agent',
  supplies: { text: true, times: true, usage: 'read+write' },
  tools: toolNames,
  sniff: (head) => head.some(isHeader),
  sessionOf: (head) => textOf(head.find(isHeader)?.id),
  *read(source, context) {
    const note: Note = (kind, line, detail, tokens) => context.findings.add(kind, source.path, line, detail, 1, tokens);
    for (const section of readSections(source, note)) {
      const session = readSection(section, source.path, context, note);
      if (session) yield session;
    }
  },
} as const satisfies Format;

function readSection(section: Section, path: string, context: ReadContext, note: Note): Session | undefined {
  const { entries } = section;
  if (!entries.some(({ kind }) => kind !== 'link' && kind !== 'system')) return undefined;
  const header = readHeader(section.header, path);
  if (!section.header) note('no-session-header', entries[0]?.line ?? 1);
  const copies = new Copies(context.seenRequests, header);
  const assembly = new Assembly(entries, activePath(entries, note), { header, copies, note });
  assembly.run();
  copies.publish();
  if (copies.count > 0 && assembly.requestCount === 0) {
    context.findings.add('duplicate-session', path);
    return undefined;
  }
  return assembly.build(factsOf(header, assembly.model, path));
}

function factsOf({ id, parent, project }: Header, model: string | undefined, path: string): SessionFacts {
  return {
    id: id ?? path,
    agent: 'pi',
    content: 'text',
    ...(parent !== undefined && { parent }),
    ...(project !== undefined && { project }),
    ...(model !== undefined && { model }),
  };
}
