/** One member of a chain as it was written; settings without the colon before them. */
export interface MemberText {
  readonly name: string;
  readonly settings: string | undefined;
}

const pathStart = String.raw`(?:\.{0,2}[\\/]|[A-Za-z]:[\\/])`;

/** A module by its path, which may hold colons and plus signs where it begins as one. */
const modulePath = new RegExp(String.raw`^\s*(?:${pathStart}.*?|[^:+]+?)\.[cm]?[jt]s(?=\s*(?:[:+]|$))`);
const otherName = new RegExp(String.raw`^\s*(?:${pathStart})?[^:+]*`);

/** Whether a policy is named by the path of a file. */
export function isPolicyFile(name: string): boolean {
  return new RegExp(`^${pathStart}`).test(name) || /\.m?js$/.test(name);
}

/** Splits `elide:recent_turns=1+./mine.mjs` at its plus signs. */
export function splitChain(text: string): MemberText[] {
  const members: MemberText[] = [];
  for (let rest = text; ; ) {
    const name = (modulePath.exec(rest) ?? otherName.exec(rest))?.[0] ?? '';
    const behind = rest.slice(name.length);
    const end = behind.indexOf('+');
    const own = (end === -1 ? behind : behind.slice(0, end)).trimStart();
    members.push({ name: name.trim(), settings: own.startsWith(':') ? own.slice(1) : undefined });
    if (end === -1) return members;
    rest = behind.slice(end + 1);
  }
}
