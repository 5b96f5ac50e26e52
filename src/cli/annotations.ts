import type { CheckResult } from '../results/index.ts';

/** Lines by which GitHub marks a failed check: `::error title=…::…`, escaped as its runner unescapes them. */
export function annotations({ checks, answer }: CheckResult): string {
  return checks
    .filter(({ status }) => status === 'failed')
    .map(({ level, metric, policy, text }) => {
      const title = `ctxsim: ${metric} of ${policy}`;
      return `::${level === 'warn' ? 'warning' : 'error'} title=${property(title)}::${data(`${text}\n${answer}`)}\n`;
    })
    .join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
