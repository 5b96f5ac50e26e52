const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}:?(?:\d{2})?)?$/i;

/**
 * Milliseconds since the epoch, or undefined for what is no time. A text without a zone is UTC (the language would take it
 * as local time); a number is seconds, milliseconds, microseconds or nanoseconds by its magnitude.
 */
export function parseTime(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string') return undefined;
  // The one form that most lines have; the language reads it right.
  if (value.length === 24 && value.endsWith('Z')) {
    const time = Date.parse(value);
    if (!Number.isNaN(time)) return time;
  }
  const text = value.trim();
  const match = iso.exec(text);
  if (match) return fromParts(match);
  return /^\d{9,19}(?:\.\d+)?$/.test(text) ? fromNumber(Number(text)) : undefined;
}

function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  if (value < 1e11) return Math.round(value * 1e3);
  if (value < 1e14) return Math.round(value);
  if (value < 1e17) return Math.round(value / 1e3);
  return value < 1e20 ? Math.round(value / 1e6) : undefined;
}

function fromParts([
  ,
  year,
  month,
  day,
  hour = '0',
  minute = '0',
  second = '0',
  fraction = '',
  zone = 'Z',
]: RegExpExecArray) {
  const clock = [Number(hour), Number(minute), Number(second)] as const;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return undefined;
  if (Number(day) > daysIn(Number(year), Number(month))) return undefined;
  if (clock[0] > 24 || clock[1] > 59 || clock[2] > 60) return undefined;
  const millis = Math.floor(Number(`0.${fraction || '0'}`) * 1000 + 1e-6);
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), ...clock, millis);
  return local - offsetMinutes(zone) * 60_000;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function offsetMinutes(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -minutes : minutes;
}
