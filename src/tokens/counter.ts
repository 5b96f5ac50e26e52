/** Counts the tokens of a text. */
export interface TokenCounter {
  /** The tiktoken encoding. */
  readonly name: 'o200k_base';
  count(text: string): number;
}

/**
 * Longest piece, in UTF-16 code units, that is merged as one. js-tiktoken's merge grows with the cube of a piece's length
 * (4 KB of one letter take 2.5 s, 100 KB do not return), and ordinary text has no piece this long.
 */
const longestPiece = 128;

/** Remembered pieces; past this the memory is dropped and filled anew, so that it cannot grow without bound. */
const mostPieces = 400_000;

/**
 * Loads js-tiktoken's o200k_base, once per process and only when something is counted (it takes 0.7 s to build).
 * Exact but for unbroken runs longer than 128 characters, which are cut: those then count a few tokens too many.
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= build();
  return loading;
}

let loading: Promise<TokenCounter> | undefined;

async function build(): Promise<TokenCounter> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/o200k_base'),
  ]);
  const encoding = new Tiktoken(ranks);
  const pieces = new RegExp(ranks.pat_str, 'ug');
  const known = new Map<string, number>();

  // BPE never merges across the pieces of the split pattern, so the sum over pieces is the count of the text,
  // and a piece that was counted before need not be merged again (texts of one project repeat their words).
  const countPiece = (piece: string): number => {
    const seen = known.get(piece);
    if (seen !== undefined) return seen;
    // No special tokens: `<|endoftext|>` in a transcript is text, and the default arguments would throw on it.
    const count = encoding.encode(piece, [], []).length;
    if (known.size >= mostPieces) known.clear();
    known.set(piece, count);
    return count;
  };

  return {
    name: 'o200k_base',
    count(text) {
      let sum = 0;
      pieces.lastIndex = 0;
      for (let match = pieces.exec(text); match; match = pieces.exec(text)) {
        const piece = match[0];
        if (piece.length <= longestPiece) sum += countPiece(piece);
        else for (const part of cutRun(piece)) sum += countPiece(part);
      }
      return sum;
    },
  };
}

/** Cuts a long run into parts, never inside a surrogate pair. */
function* cutRun(run: string): Generator<string> {
  for (let start = 0; start < run.length; ) {
    let end = Math.min(run.length, start + longestPiece);
    if (end < run.length && isHighSurrogate(run.charCodeAt(end - 1))) end -= 1;
    yield run.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
