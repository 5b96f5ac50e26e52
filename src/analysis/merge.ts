import { CtxsimError } from '../errors.ts';
import {
  type Basis,
  orderedBasis,
  type SessionOutcome,
  type StoredSession,
  storedOutcomes,
  storeOutcomes,
} from '../results/index.ts';
import type { Result } from '../results/result.ts';
import { addFinding, compareText, type Finding } from '../session/index.ts';
import { joinScenarios, type Scenario } from './join.ts';
import { summarize } from './summarize.ts';

/** What a run was, besides its sessions. */
export type RunSettings = Pick<Basis, 'leftOut' | 'cards'> & {
  readonly scenarios: readonly (Basis['scenarios'][number] & { readonly detailed?: boolean | undefined })[];
};

/** A stored result and the name of its file. */
export interface NamedResult {
  readonly name: string;
  readonly result: Result;
}

/** The result of sessions under each scenario they were replayed under. */
export function scenarioResults(
  outcomes: readonly (readonly SessionOutcome[])[],
  { scenarios, leftOut }: Omit<RunSettings, 'cards'>,
  findings: readonly Finding[],
): Scenario[] {
  return scenarios.map((scenario, index) => ({
    name: scenario.name,
    result: summarize(
      outcomes.map((outcome) => outcome[index] as SessionOutcome),
      { ...scenario, findings, leftOut },
    ),
  }));
}

/** One result of all of them, with the basis that it can be merged and compared by. */
export function resultOf(
  outcomes: readonly (readonly SessionOutcome[])[],
  settings: RunSettings,
  findings: readonly Finding[],
): Result {
  const joined = joinScenarios(scenarioResults(outcomes, settings, findings));
  // What is looked at for one page is shown there and not stored.
  const stored = settings.scenarios.some(({ detailed }) => detailed) ? outcomes.map(withoutDetail) : outcomes;
  const scenarios = settings.scenarios.map(({ detailed: _, ...scenario }) => scenario);
  return { ...joined, basis: orderedBasis({ ...settings, scenarios, ...storeOutcomes(stored) }) };
}

function withoutDetail(outcomes: readonly SessionOutcome[]): SessionOutcome[] {
  return outcomes.map((outcome) => ({
    ...outcome,
    rows: outcome.rows.map(({ best: { parts: _parts, peakPrompt: _peak, ...best }, recorded }) => ({ best, recorded })),
  }));
}

/**
 * One result of several over disjoint sessions: the same bytes as one run over all of them, whatever the order.
 * @throws CtxsimError `no-basis`, `different-basis` or `same-session`, naming the files and what stands against it.
 */
export function mergeResults(named: readonly NamedResult[]): Result {
  const parts = named.map(({ name, result: { basis, findings } }) => ({ name, basis: basisIn(name, basis), findings }));
  const [first, ...others] = parts;
  if (!first) throw new Error('no result to merge');
  for (const other of others) refuseDifferent(first, other);
  refuseTwice(parts);
  return resultOf(
    parts.flatMap(({ basis }) => storedOutcomes(basis)),
    {
      scenarios: first.basis.scenarios,
      leftOut: parts.reduce((sum, { basis }) => sum + basis.leftOut, 0),
      cards: Object.fromEntries(
        parts.flatMap(({ basis }) => Object.entries(basis.cards)).sort(([a], [b]) => compareText(a, b)),
      ),
    },
    mergeFindings(parts.map(({ findings }) => findings)),
  );
}

interface Part {
  readonly name: string;
  readonly basis: Basis;
}

function basisIn(name: string, basis: Basis | undefined): Basis {
  if (basis) return basis;
  throw new CtxsimError(
    'no-basis',
    `${name}: it has no "basis", out of which results are merged`,
    'Make it anew with: ctxsim replay PATHS -o RESULT.json',
  );
}

function refuseDifferent(a: Part, b: Part): void {
  const differing = differences(a.basis.scenarios, b.basis.scenarios);
  if (differing.length === 0) return;
  throw new CtxsimError(
    'different-basis',
    `${a.name} and ${b.name} cannot be merged: they differ in ${differing.join('; ')}`,
    'Make both with the same version, prices and flags.',
  );
}

const shownCharacters = 120;

/** What differs between the settings of two runs, in words. */
function differences(a: Basis['scenarios'], b: Basis['scenarios']): string[] {
  const shown = (value: unknown) => {
    const text = JSON.stringify(value);
    return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  };
  const labels = (scenario: Basis['scenarios'][number] | undefined) => scenario?.rows.map(({ label }) => label);
  if (a.length !== b.length)
    return [`scenarios (${shown(a.map(({ name }) => name))} and ${shown(b.map(({ name }) => name))})`];
  const differing = a.flatMap((scenario, index) => {
    const other = b[index] as Basis['scenarios'][number];
    const keys = (Object.keys(scenario) as (keyof typeof scenario)[]).filter(
      (key) => JSON.stringify(scenario[key]) !== JSON.stringify(other[key]),
    );
    return keys.map((key) =>
      key === 'rows'
        ? `rows (${shown(labels(scenario))} and ${shown(labels(other))})`
        : `${key} (${shown(scenario[key])} and ${shown(other[key])})`,
    );
  });
  return [...new Set(differing)];
}

/** A session in two results would be billed twice, and so would one and its content-free copy. */
function refuseTwice(parts: readonly Part[]): void {
  const seen = new Map<string, string>();
  const byRecording = new Map<string, { readonly name: string; readonly session: StoredSession }>();
  for (const { name, basis } of parts) {
    for (const session of basis.sessions.flatMap(([first]) => first ?? [])) {
      const other = byRecording.get(session.recording);
      if (other && other.session.hasWords !== session.hasWords) {
        throw new CtxsimError(
          'same-session',
          `${other.session.file} (${other.name}) and ${session.file} (${name}) are the same recording, with and without its words: it would be billed twice`,
          'Merge results of different sessions.',
        );
      }
      byRecording.set(session.recording, { name, session });
    }
  }
  for (const { name, basis } of parts) {
    const ids = new Set(basis.sessions.map(([session]) => session?.id ?? ''));
    for (const id of ids) {
      const other = seen.get(id);
      if (other !== undefined) {
        throw new CtxsimError(
          'same-session',
          `session ${id} is in ${other} and in ${name}: it would be billed twice`,
          'Merge results of different sessions.',
        );
      }
      seen.set(id, name);
    }
  }
}

function mergeFindings(lists: readonly Result['findings'][]): Finding[] {
  const byKind = new Map<string, Finding>();
  for (const finding of lists.flat()) {
    const key = `${finding.kind}\n${finding.detail}`;
    const known = byKind.get(key);
    if (!known) byKind.set(key, finding);
    else {
      const [first] = [known.first, finding.first].sort((a, b) => compareText(fileOf(a), fileOf(b)));
      byKind.set(key, { ...addFinding(known, finding), first: first ?? known.first });
    }
  }
  return [...byKind.values()].sort((a, b) => compareText(a.kind, b.kind) || compareText(a.detail, b.detail));
}

/** `a.jsonl:7` names a line of `a.jsonl`. */
function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}
