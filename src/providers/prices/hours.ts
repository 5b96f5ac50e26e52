import type { PricedHours, RateCard } from './rates.ts';

const dayMinutes = 1440;
const minuteMs = 60_000;

/** Cards by the hours of theirs, made once: a replay asks for one at every request. */
const atHours = new WeakMap<RateCard, Map<PricedHours, RateCard>>();

/**
 * The rates of a card at a time (milliseconds since the epoch): those of the hour where the provider has some, else the ordinary
 * ones, which also hold where the time is unknown.
 */
export function cardAt(card: RateCard, timeMs: number | undefined): RateCard {
  if (!card.hours || timeMs === undefined || Number.isNaN(timeMs)) return card;
  const hours = card.hours.find((each) => isWithin(each, timeMs));
  if (!hours) return card;
  const made = atHours.get(card) ?? new Map<PricedHours, RateCard>();
  atHours.set(card, made);
  const known = made.get(hours) ?? {
    ...card,
    id: `${card.id}+${hoursName(hours)}`,
    tiers: hours.tiers,
    hours: undefined,
    services: [...(card.services ?? []), `${hoursName(hours)} UTC`],
  };
  made.set(hours, known);
  return known;
}

/** `01:00-04:00`, in UTC. */
export function hoursName({ from, to }: PricedHours): string {
  return `${clock(from)}-${clock(to)}`;
}

function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function isWithin({ from, to, weekdaysSince, except }: PricedHours, timeMs: number): boolean {
  const minute = Math.floor(timeMs / minuteMs) % dayMinutes;
  const isInside = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isInside) return false;
  const date = new Date(timeMs);
  if (except?.includes(date.toISOString().slice(0, 10))) return false;
  if (weekdaysSince === undefined || timeMs < Date.parse(weekdaysSince)) return true;
  return date.getUTCDay() >= 1 && date.getUTCDay() <= 5;
}

/** Hours and rates as a price source lists them. */
interface ListedHours {
  readonly from: number;
  readonly to: number;
  readonly tiers: PricedHours['tiers'];
}

/**
 * Ordinary rates and exceptions, of what holds at all other hours and of the hours that are listed: the rates that hold for most
 * of the day are the ordinary ones, whichever way round the source writes it.
 */
export function ordinaryAndHours(
  otherwise: PricedHours['tiers'],
  listed: readonly ListedHours[],
): { readonly tiers: PricedHours['tiers']; readonly hours: readonly PricedHours[] } {
  const [only, another] = listed;
  const isMostOfDay = only !== undefined && !another && 2 * lengthOf(only) > dayMinutes;
  if (!isMostOfDay) return { tiers: otherwise, hours: listed };
  return { tiers: only.tiers, hours: [{ from: only.to, to: only.from, tiers: otherwise }] };
}

function lengthOf({ from, to }: ListedHours): number {
  return from < to ? to - from : to - from + dayMinutes;
}
