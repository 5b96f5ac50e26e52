import type { Block, BlockSize, Session } from '../session/index.ts';
import { countLines, type DerivedName, derivedTexts } from '../session/index.ts';
import type { TokenCounter } from './counter.ts';

/**
 * Gives every block its sizes: characters, lines, tokens, and the tokens of the texts that policies derive from it.
 * From here on nothing needs the words, so a session with text and the same session without are replayed alike.
 * Blocks that already carry sizes keep them.
 */
export function measureSession(session: Session, counter: TokenCounter): Session {
  if (!needsCounter(session)) return session;
  const measure = (block: Block) => (block.size ? block : { ...block, size: measureBlock(block, counter) });
  return {
    ...session,
    tokenizer: session.tokenizer ?? counter.name,
    blocks: session.blocks.map(measure),
    requests: session.requests.map((request) =>
      request.discarded ? { ...request, discarded: request.discarded.map(measure) } : request,
    ),
  };
}

function measureBlock(block: Block, counter: TokenCounter): BlockSize {
  const text = block.text ?? '';
  const derived: Record<string, number> = {};
  for (const name of Object.keys(derivedTexts) as DerivedName[]) {
    const derivedText = derivedTexts[name](block);
    if (derivedText !== undefined) derived[name] = countByLine(derivedText, counter);
  }
  const size = { chars: text.length, lines: countLines(text), tokens: counter.count(text) };
  return Object.keys(derived).length === 0 ? size : { ...size, derived };
}

/** Derived text is counted line by line and summed, so that texts assembled from lines cost the same from sizes alone. */
function countByLine(text: string, counter: TokenCounter): number {
  return text.split('\n').reduce((sum, line) => sum + counter.count(line), 0);
}

/** True if counting this session needs the tokenizer: some block carries words and no sizes. */
export function needsCounter(session: Session): boolean {
  const lacksSize = (block: Block) => block.size === undefined;
  return session.blocks.some(lacksSize) || session.requests.some(({ discarded }) => discarded?.some(lacksSize));
}
