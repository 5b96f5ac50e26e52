import type { Source } from './source.ts';

/** Several sources as one, which goes by the name of the first; its lines are numbered through, and know where they stand. */
export function joinSources(sources: readonly [Source, ...Source[]]): Source {
  const [first, ...others] = sources;
  if (others.length === 0) return first;
  const starts: { path: string; before: number }[] = [];
  return {
    path: first.path,
    *records() {
      starts.length = 0;
      let before = 0;
      for (const source of sources) {
        starts.push({ path: source.path, before });
        let last = before;
        for (const { line, value } of source.records()) {
          last = before + line;
          yield { line: last, value };
        }
        before = last;
      }
    },
    placeOf(line) {
      const start = starts.findLast(({ before }) => before < line);
      return start ? { path: start.path, line: line - start.before } : { path: first.path, line };
    },
  };
}
