import { joinParts } from './content.ts';

/** A user message of the file, and what was found out about it. */
export interface UserItem {
  readonly text: string;
  /** The harness wrote it: environment, project instructions, notices. */
  readonly injected: boolean;
}

const injectedStarts = ['# AGENTS.md instructions', '<user_instructions>', '<environment_context>', '<turn_aborted>'];

/** True if every text part of a user message is the harness's own: a known opening or one XML-like wrapper. */
export function isInjected(parts: readonly string[]): boolean {
  const texts = parts.map((part) => part.trim()).filter((part) => part !== '' && !isImageTag(part));
  return texts.length > 0 && texts.every((text) => isWrapper(text) || isKnownNote(text));
}

function isKnownNote(text: string): boolean {
  return injectedStarts.some((start) => text.trimStart().startsWith(start));
}

/** Images are stored between tags that are text parts of their own. */
function isImageTag(part: string): boolean {
  return /^<image( [^<>]*)?>$/.test(part) || part === '</image>';
}

function isWrapper(text: string): boolean {
  const name = /^<([a-z][\w.-]*)(?:\s[^<>]*)?>/i.exec(text)?.[1];
  return name !== undefined && text.endsWith(`</${name}>`);
}

/** A place in the file where a user message stands, or where the user interface says that a human sent one. */
export type TurnSign =
  | { readonly item: UserItem }
  | { readonly event: string /** It stands directly behind its message. */; readonly isItem?: boolean };

/**
 * Which user messages are human prompts. With `user_message` events, those that an event belongs to, however they look;
 * in a file without events, those that the harness did not inject.
 */
export function humanPrompts(signs: readonly TurnSign[]): Set<UserItem> {
  if (!signs.some((sign) => 'event' in sign)) {
    return new Set(signs.flatMap((sign) => ('item' in sign && !sign.item.injected ? [sign.item] : [])));
  }
  const human = new Set<UserItem>();
  for (const { before, event, isItem, after } of aroundEvents(signs)) {
    const free = [...before.toReversed(), ...after].filter((item) => !human.has(item));
    const nearest = isItem ? before.filter((item) => !human.has(item) && !isKnownNote(item.text)).at(-1) : undefined;
    const found = free.find((item) => saysTheSame(item.text, event)) ?? nearest ?? free.find((item) => !item.injected);
    if (found) human.add(found);
  }
  return human;
}

interface Surrounded {
  readonly before: readonly UserItem[];
  readonly event: string;
  readonly isItem: boolean;
  readonly after: readonly UserItem[];
}

/** Every event with the user messages up to the event before it and up to the event after it. */
function aroundEvents(signs: readonly TurnSign[]): Surrounded[] {
  const groups: UserItem[][] = [[]];
  const events: { readonly event: string; readonly isItem: boolean }[] = [];
  for (const sign of signs) {
    if ('item' in sign) groups.at(-1)?.push(sign.item);
    else {
      events.push({ event: sign.event, isItem: sign.isItem === true });
      groups.push([]);
    }
  }
  return events.map((event, at) => ({ before: groups[at] ?? [], ...event, after: groups[at + 1] ?? [] }));
}

/** The event holds what the human typed; the message may hold more around it (open files, image tags). */
function saysTheSame(text: string, event: string): boolean {
  const typed = event.trim();
  return text.trim() === typed || (typed !== '' && text.trimEnd().endsWith(typed));
}

/** A user message as `humanPrompts` wants it. */
export function userItem(parts: readonly string[]): UserItem {
  return { text: joinParts(parts), injected: isInjected(parts) };
}
