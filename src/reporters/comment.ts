import { formatCount } from '../units.ts';

/** A part of a comment: lines of which as many are kept as there is room for. */
export interface Section {
  /** Folded away under this title. */
  readonly summary?: string;
  /** Lines that stand before the others, where any of those is kept. */
  readonly head?: readonly string[];
  readonly lines: readonly string[];
}

/** GitHub refuses comments of more than 65,536 characters; some room is left for what a workflow adds (ecosystem.md §3). */
const largestComment = 60_000;

/** Room that is kept for the end of a fold and for the line that says how much was cut. */
const roomForCut = 200;

/**
 * A comment that begins with a marker, by which the next run finds it again. Sections are filled in their order; what does not
 * fit is cut line by line, and a line says how many.
 */
export function commentText(name: string, sections: readonly Section[], limit = largestComment): string {
  const marker = `<!-- ctxsim:${name.replace(/[^\w.]+/g, '-')} -->\n`;
  const { text, cut } = filled(marker, sections, limit - roomForCut);
  return cut === 0 ? text : `${text}\n_${formatCount(cut)} more lines were cut; the JSON has all._\n`;
}

/** All of the sections. */
export function sectionsText(sections: readonly Section[]): string {
  return filled('', sections, Number.POSITIVE_INFINITY).text.trimStart();
}

function filled(start: string, sections: readonly Section[], limit: number): { text: string; cut: number } {
  let text = start;
  let cut = 0;
  for (const { summary, head = [], lines } of sections) {
    const opening = summary === undefined ? [] : [`<details><summary>${summary}</summary>`, ''];
    let part = `${['', ...opening, ...head].join('\n')}\n`;
    let kept = 0;
    while (kept < lines.length) {
      const line = `${lines[kept]}\n`;
      if (text.length + part.length + line.length > limit) break;
      part += line;
      kept += 1;
    }
    if (kept > 0) text += `${part}${summary === undefined ? '' : '\n</details>\n'}`;
    cut += lines.length - kept;
  }
  return { text, cut };
}
