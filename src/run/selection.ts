import { CtxsimError } from '../errors.ts';
import { compareText, type Findings, type Session } from '../session/index.ts';
import { formatCounted } from '../units.ts';

/** Which of the sessions that were read are wanted; what is left out asks for nothing. */
export interface Selection {
  /** Of one of these agents. */
  readonly agents?: readonly string[] | undefined;
  /** Of one of these projects: its whole name, or the last parts of its path. */
  readonly projects?: readonly string[] | undefined;
  /** Begun at this moment or later, milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** What was asked for, and what there was, for who finds nothing. */
interface Seen {
  readonly agents: Set<string>;
  readonly projects: Set<string>;
  readonly starts: number[];
}

/** Some names of many are enough to see what is meant. */
const shownNames = 5;

/** Picks sessions, counts the others, and knows what to say where none is left. */
export class SessionPicker {
  readonly #wanted: Selection;
  readonly #seen: Seen = { agents: new Set(), projects: new Set(), starts: [] };
  #sessions = 0;
  #picked = 0;

  constructor(wanted: Selection) {
    this.#wanted = wanted;
  }

  pick(sessions: readonly Session[], path: string, findings: Findings): Session[] {
    return sessions.filter((session) => {
      this.#note(session);
      const why = this.#rejection(session);
      if (why === undefined) this.#picked += 1;
      else findings.add(why, path);
      return why === undefined;
    });
  }

  /** @throws CtxsimError `nothing-selected` where sessions were read and none of them was picked: it says what there was. */
  expectSome(): void {
    if (this.#sessions === 0 || this.#picked > 0) return;
    const { agents, projects, starts } = this.#seen;
    const first = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const last = starts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const there = [
      `agents ${namesOf(agents)}`,
      `projects ${namesOf(projects)}`,
      starts.length === 0 ? 'no times' : `begun from ${dayOf(first)} to ${dayOf(last)}`,
    ];
    throw new CtxsimError(
      'nothing-selected',
      `none of ${formatCounted(this.#sessions, 'session')} is selected by --agent, --project, --since and --last`,
      `There are: ${there.join('; ')}.`,
    );
  }

  #note(session: Session): void {
    this.#sessions += 1;
    if (session.agent !== undefined) this.#seen.agents.add(session.agent);
    if (session.project !== undefined) this.#seen.projects.add(session.project);
    const start = startOf(session);
    if (start !== undefined) this.#seen.starts.push(start);
  }

  /** The kind of finding that says why a session is not wanted. */
  #rejection(session: Session): string | undefined {
    const { agents, projects, since } = this.#wanted;
    if (agents && !agents.includes(session.agent ?? '')) return 'session-of-another-agent';
    if (projects && !projects.some((name) => isProject(session.project, name))) return 'session-of-another-project';
    if (since === undefined) return undefined;
    const start = startOf(session);
    if (start === undefined) return 'session-without-time';
    return start < since ? 'session-begun-before' : undefined;
  }
}

/** When the first request was sent, milliseconds since the epoch. */
export function startOf({ requests, abandoned }: Session): number | undefined {
  return [...requests, ...abandoned].find(({ time }) => time !== undefined)?.time;
}

function isProject(project: string | undefined, name: string): boolean {
  if (project === undefined) return false;
  const wanted = name.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');
  const path = project.replaceAll('\\', '/');
  return path === wanted || path.endsWith(`/${wanted}`);
}

function namesOf(names: ReadonlySet<string>): string {
  const sorted = [...names].sort(compareText);
  if (sorted.length === 0) return 'unknown';
  const more = sorted.length - shownNames;
  return `${sorted.slice(0, shownNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
