import { promptTokens, type Request } from '../session/index.ts';

/** The prompt of a request as it was recorded, with or without its split; 0 where nothing was. */
export function recordedPrompt({ usage, totals }: Request): number {
  return usage ? promptTokens(usage) : (totals?.prompt ?? 0);
}

/** The output that was recorded. */
export function recordedOutput({ usage, totals }: Request): number | undefined {
  return usage?.output ?? totals?.output;
}
