import type { Reporter } from './reporter.ts';

/** The whole result, numbers as they are: the format that other commands read back. */
export const json: Reporter = {
  name: 'json',
  title: 'The whole result (schema ctxsim.result/1)',
  extensions: ['.json'],
  render(result) {
    return `${JSON.stringify(result, null, 2)}\n`;
  },
};
