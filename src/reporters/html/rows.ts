import * as Plot from '@observablehq/plot';
import { short } from './markup.ts';
import { mostRows } from './shown-rows.ts';

/** Pixels that a character of the drawing takes on average, at its 12 pixels. */
const characterWidth = 6.7;
const mostCharacters = { wide: 34, narrow: 30 } as const;
const rowHeight = { wide: 30, narrow: 46 } as const;

/** A horizontal chart with one row per label: where labels and texts stand. */
export interface LabelledRows {
  readonly layout: Plot.PlotOptions;
  marks(): Plot.Markish[];
}

/** Labels to the left of the rows and texts to the right of them; on a phone both above them. */
export function labelledRows(labels: readonly string[], texts: readonly string[], isNarrow: boolean): LabelledRows {
  const size = isNarrow ? 'narrow' : 'wide';
  const rows = labels.map((label, at) => ({ label, text: texts[at] ?? '', shown: short(label, mostCharacters[size]) }));
  const room = (shown: readonly string[]) =>
    Math.ceil(Math.max(0, ...shown.map((each) => each.length)) * characterWidth) + 16;
  const margins = isNarrow
    ? { marginLeft: 8, marginRight: 12 }
    : { marginLeft: room(rows.map(({ shown }) => shown)), marginRight: room(texts) };
  const isLong = labels.length > mostRows;
  const marginTop = (isLong ? 32 : 0) + (isNarrow ? 18 : 6);
  // Above its row a text crosses the lines of the grid: it has a rim of paper.
  const above = isNarrow ? { dy: -15, stroke: 'var(--paper)', strokeWidth: 4 } : {};
  return {
    layout: {
      ...margins,
      marginTop,
      marginBottom: 40,
      height: labels.length * rowHeight[size] + marginTop + 40,
      // In a long chart the scale is said at both ends.
      x: { axis: isLong ? 'both' : 'bottom' },
      y: { domain: [...labels], axis: null, padding: isNarrow ? 0.62 : 0.4 },
    },
    marks: () => [
      Plot.text(rows, {
        y: 'label',
        text: 'shown',
        frameAnchor: 'left',
        textAnchor: isNarrow ? 'start' : 'end',
        dx: isNarrow ? 0 : -12,
        fill: 'var(--ink)',
        ...above,
      }),
      Plot.text(rows, {
        y: 'label',
        text: 'text',
        frameAnchor: 'right',
        textAnchor: isNarrow ? 'end' : 'start',
        dx: isNarrow ? 0 : 8,
        fill: 'var(--ink)',
        ...above,
      }),
    ],
  };
}
