import type { CheckResult, Explanation } from '../results/index.ts';
import type { Result } from '../results/result.ts';

/** What a reporter may know of where its text goes. */
export interface RenderOptions {
  /** Columns of the terminal, or undefined when the text goes to a file or a pipe: then nothing is dropped. */
  readonly width?: number | undefined;
  /** Colour only where it means something; false for pipes, files and NO_COLOR. */
  readonly color: boolean;
  /** Tells comments on one pull request apart; where there are no comments it says nothing. */
  readonly name?: string | undefined;
}

/** One output format. Returns text; writing is the command line's job. Money and tokens arrive unrounded, rounding happens here. */
export interface Reporter {
  readonly name: string;
  readonly title: string;
  /** File endings that choose this format for `-o FILE`. */
  readonly extensions: readonly string[];
  /** It shows what the rows paid for, and requests: a replay whose result has `detail` shows more. */
  readonly showsDetail?: boolean;
  /** A promise from a format that loads what it draws with when it is first asked for. */
  render(result: Result, options: RenderOptions): string | Promise<string>;
  /** A check in the same format; absent where the format is for results only. */
  renderCheck?(check: CheckResult, options: RenderOptions): string;
  /** An explanation in the same format; absent where the format is not for one. */
  renderExplanation?(explanation: Explanation, options: RenderOptions): string;
}
