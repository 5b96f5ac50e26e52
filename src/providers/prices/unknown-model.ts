import { distance } from 'fastest-levenshtein';
import { CtxsimError } from '../../errors.ts';
import { normalizeModel } from './normalize.ts';

/** How many known names the error shows. */
const shown = 3;

/** The error for a model without a price: what was asked for, the nearest known names, and how to pass a price. */
export function unknownModel(model: string, known: readonly string[]): CtxsimError {
  const name = normalizeModel(model);
  const near = [...known]
    // A short name inside a known one (`fable`) is nearer than any edit distance says.
    .map((candidate) => ({ candidate, edits: candidate.includes(name) ? 0 : distance(name, candidate) }))
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, shown)
    .map(({ candidate }) => candidate);
  const example = JSON.stringify({ models: { [name]: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 } } });
  return new CtxsimError(
    'unknown-model',
    `no price for model "${model}"`,
    `Nearest known: ${near.join(', ')}. ctxsim never guesses a price. Put one into a JSON file and pass it with ` +
      `--prices FILE, or count its tokens apart with: replay --allow-unpriced. The file is in US dollars per million tokens: ${example}`,
  );
}
