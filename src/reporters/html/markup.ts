/** Text that is HTML already. Everything else is escaped where it is put into a page. */
export interface Markup {
  readonly markup: string;
}

type Content = Markup | string | number | undefined | readonly Content[];

/** HTML from a template: strings are escaped, markup and lists of it are put in as they are. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return { markup: parts.map((part, at) => part + (at < contents.length ? textOf(contents[at]) : '')).join('') };
}

/** Markup that we wrote or drew ourselves. */
export function trusted(markup: string): Markup {
  return { markup };
}

/**
 * Text as it may stand in a page or a drawing: control characters are spaces; characters that are not seen but turn round, hide
 * or join others (bidi overrides, zero-width ones), and halves of surrogate pairs, are shown as what they are: damage. Of marks
 * that stack upon one letter two stay: more would cover the lines around it.
 */
export function visible(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu, '\uFFFD')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1');
}

/** Longer texts are names that somebody made to fill a page: the rest of them is left out. */
const mostCharacters = 2000;

/** A text at its full length, to be copied or drawn. */
export function whole(text: string): Markup {
  return trusted(escaped(visible(text)));
}

/** A name that may be broken where its settings begin, not inside them. */
export function breakable(name: string): Markup {
  return trusted(
    name
      .split(/(?<=[:,+])/)
      .map((part) => html`${part}`.markup)
      .join('<wbr>'),
  );
}

/** A label no longer than so many characters; what was left out is marked. */
export function short(text: string, most: number): string {
  const shown = [...visible(text)];
  return shown.length > most ? `${shown.slice(0, most - 1).join('')}…` : shown.join('');
}

function textOf(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'string' || typeof content === 'number')
    return escaped(short(String(content), mostCharacters));
  return 'markup' in content ? content.markup : content.map(textOf).join('');
}

function escaped(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      // A number and its unit stay on one line.
      .replaceAll(' %', '\u00A0%')
  );
}
