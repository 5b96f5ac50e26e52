/** A command of ours as it can be typed into a shell. */
export function commandLine(command: string, paths: readonly string[], flags: readonly string[]): string {
  return ['ctxsim', command, ...paths, ...flags].map(quoted).join(' ');
}

/** Words that a shell would read otherwise stand in single quotes. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
