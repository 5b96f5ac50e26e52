import { CtxsimError } from '../../errors.ts';
import { nearestNames } from '../../registry.ts';
import { normalizeModel } from './normalize.ts';

/** The error for a model without a price: what was asked for, the nearest known names, and how to pass a price. */
export function unknownModel(model: string, known: readonly string[]): CtxsimError {
  const name = normalizeModel(model);
  const example = JSON.stringify({
    models: { [name]: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 } },
  });
  return new CtxsimError(
    'unknown-model',
    `no price for model "${model}"`,
    `Nearest known: ${nearestNames(name, known).join(', ')}. ctxsim never guesses a price. Put one into a JSON file and pass it with ` +
      `--prices FILE, or count its tokens apart with: replay --allow-unpriced. The file is in US dollars per million tokens: ${example}`,
  );
}
