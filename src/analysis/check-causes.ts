import type { CheckedRow, ExplainedPart } from '../results/index.ts';
import type { Measured } from './measured.ts';
import { mergeParts } from './parts.ts';

type Cause = CheckedRow['causes'][number];

/** Longer sessions cost more: the reference is taken as over as many turns. */
export function scaleOf(found: Measured, reference: Measured): number {
  return found.turns > 0 && reference.turns > 0 ? found.turns / reference.turns : 1;
}

/** What each part of the bill costs more than in the reference, what grew most first. */
export function causesOf(found: Measured, reference: Measured): Cause[] {
  if (!found.parts || !reference.parts) return [];
  const scale = scaleOf(found, reference);
  const [now, before] = [paidFor(mergeParts(found.parts)), paidFor(mergeParts(reference.parts))];
  const labels = [...new Set([...now.keys(), ...before.keys()])];
  return sorted(
    labels.map((label) => {
      const [usd, referenceUsd] = [now.get(label)?.usd ?? 0, before.get(label)?.usd ?? 0];
      return { label, referenceUsd, usd, difference: usd - referenceUsd * scale, times: now.get(label)?.times ?? 0 };
    }),
  );
}

interface Paid {
  readonly usd: number;
  readonly times: number;
}

/**
 * Dollars by part, so that each cause has what it alone cost: of what was sent again, what a read would have cost anyway counts as
 * carried along.
 */
function paidFor(parts: readonly ExplainedPart[]): Map<string, Paid> {
  const carried = parts.filter(({ kind }) => kind === 'read' || kind === 'resent');
  const reads = carried.reduce((sum, { usd, extraUsd }) => sum + usd - extraUsd, 0);
  const times = carried.find(({ kind }) => kind === 'read')?.times ?? 0;
  return new Map<string, Paid>([
    ...(carried.length > 0 ? [['context carried along, at the price of a read', { usd: reads, times }] as const] : []),
    ...parts
      .filter(({ kind }) => kind !== 'read')
      .map(
        ({ kind, label, usd, extraUsd, times: of }) =>
          [label, { usd: kind === 'resent' ? extraUsd : usd, times: of }] as const,
      ),
  ]);
}

/** The same over several sessions. */
export function addCauses(causes: readonly Cause[]): Cause[] {
  const byLabel = new Map<string, Cause>();
  for (const cause of causes) {
    const known = byLabel.get(cause.label);
    byLabel.set(cause.label, {
      label: cause.label,
      referenceUsd: (known?.referenceUsd ?? 0) + cause.referenceUsd,
      usd: (known?.usd ?? 0) + cause.usd,
      difference: (known?.difference ?? 0) + cause.difference,
      times: (known?.times ?? 0) + cause.times,
    });
  }
  return sorted([...byLabel.values()]);
}

function sorted(causes: readonly Cause[]): Cause[] {
  return [...causes].sort((a, b) => b.difference - a.difference || (a.label < b.label ? -1 : 1));
}
