import type { Basis } from '../results/index.ts';
import type { Reporter } from './reporter.ts';

/** The whole result, numbers as they are: the format that other commands read back. */
export const json: Reporter = {
  name: 'json',
  title: 'The whole result (schema ctxsim.result/1)',
  extensions: ['.json'],
  render(result) {
    const { basis, ...shown } = result;
    const text = JSON.stringify(shown, null, 2);
    return basis ? `${text.slice(0, -2)},\n  "basis": ${basisText(basis)}\n}\n` : `${text}\n`;
  },
  renderCheck: (check) => `${JSON.stringify(check, null, 2)}\n`,
  renderExplanation: (explanation) => `${JSON.stringify(explanation, null, 2)}\n`,
};

/** One line per session: for programs to read, and small in a repository. */
function basisText({ sessions, ...rest }: Basis): string {
  const lines = Object.entries(rest).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const each = sessions.map((session) => `      ${JSON.stringify(session)}`);
  return `{\n${[...lines, `    "sessions": [\n${each.join(',\n')}\n    ]`].join(',\n')}\n  }`;
}
