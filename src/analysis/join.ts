import type { Result } from '../results/result.ts';
import { compareText } from '../session/index.ts';

/** A result of the same sessions under one of several settings of the provider, and what the setting is called. */
export interface Scenario {
  readonly name: string;
  readonly result: Result;
}

/**
 * One result of several scenarios: the rows of all, each labelled with its scenario. Every saving stays against the baseline
 * of its own scenario; the corpus is the first one's.
 */
export function joinScenarios(scenarios: readonly Scenario[]): Result {
  const [first] = scenarios;
  if (!first) throw new Error('no scenario to join');
  if (scenarios.length === 1) return first.result;
  const { corpus, digest, findings } = first.result;
  const results = scenarios.map(({ result }) => result);
  const union = (values: (assumptions: Result['assumptions']) => readonly string[]) =>
    [...new Set(results.flatMap(({ assumptions }) => values(assumptions)))].sort(compareText);
  return {
    ...first.result,
    answer: scenarios.map(({ name, result }) => `${name}: ${result.answer}`).join('\n'),
    rows: scenarios.flatMap((scenario) => relabelled(scenario.result.rows, scenario)),
    corpus,
    assumptions: {
      ...first.result.assumptions,
      models: union(({ models }) => models),
      cache: union(({ cache }) => cache),
      breakpoints: union(({ breakpoints }) => breakpoints),
      ttl: union(({ ttl }) => [ttl]).join(', '),
      serviceTier: union(({ serviceTier }) => [serviceTier]).join(', '),
      region: union(({ region }) => [region]).join(', '),
      served: Object.assign({}, ...results.map(({ assumptions }) => assumptions.served)),
      unpricedShare: Math.max(...results.map(({ assumptions }) => assumptions.unpricedShare)),
      tokens: union(({ tokens }) => [tokens]).join('; '),
      estimatedShare: Math.max(...results.map(({ assumptions }) => assumptions.estimatedShare)),
      tokenUncertainty:
        results.map(({ assumptions }) => assumptions.tokenUncertainty).find((value) => value !== null) ?? null,
      notes: joinNotes(scenarios),
    },
    digest,
    ...(first.result.breakEven && {
      breakEven: scenarios.flatMap((scenario) => relabelled(scenario.result.breakEven ?? [], scenario)),
    }),
    byPrice: scenarios.flatMap((scenario) =>
      (scenario.result.byPrice ?? []).map((each) => ({ ...each, rows: relabelled(each.rows, scenario) })),
    ),
    ...(first.result.detail && {
      detail: {
        parts: scenarios.flatMap((scenario) => relabelled(scenario.result.detail?.parts ?? [], scenario)),
        trace: first.result.detail.trace,
      },
    }),
    findings,
    sessions: first.result.sessions.map((session, index) => ({
      ...session,
      cost: Object.fromEntries(
        scenarios.flatMap((scenario) =>
          Object.entries(scenario.result.sessions[index]?.cost ?? {}).map(([label, usd]) => [
            labelled(label, scenario.name),
            usd,
          ]),
        ),
      ),
    })),
  };
}

/** What a row is called beside those of other scenarios. */
export function labelled(label: string, scenario: string): string {
  return `${label} [${scenario}]`;
}

function relabelled<T extends { readonly label: string }>(rows: readonly T[], scenario: Scenario): T[] {
  return rows.map((row) => ({ ...row, label: labelled(row.label, scenario.name) }));
}

/** Every note once; one that does not hold for all names those for which it does. */
function joinNotes(scenarios: readonly Scenario[]): string[] {
  const notes = new Set(scenarios.flatMap(({ result }) => result.assumptions.notes));
  return [...notes].map((note) => {
    const holds = scenarios.filter(({ result }) => result.assumptions.notes.includes(note));
    return holds.length === scenarios.length ? note : `${holds.map(({ name }) => name).join(' and ')}: ${note}`;
  });
}
