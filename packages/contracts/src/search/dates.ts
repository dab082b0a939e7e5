/** A day, month or year of a time zone, from its first instant until the next one's. */
export interface DateSpan {
  start: Date;
  end: Date;
}

const written = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const ago = /^(\d{1,5})([dwmy])$/;
const formats = new Map<string, Intl.DateTimeFormat>();
const dayMs = 24 * 3_600_000;

/**
 * The time that a filter of dates names (docs/protocol/search.md#35.1): `2026`, `2026-11`, `2026-11-28`, `today`,
 * `yesterday`, or the day so many days, weeks, months or years ago: `7d`, `2w`, `3m`, `1y`.
 *
 * @param timeZone one of the IANA
 * @returns null for no date
 */
export function dateSpan(value: string, { now, timeZone }: { now: Date; timeZone: string }): DateSpan | null {
  const text = value.trim().toLowerCase();
  const { year, month, day } = localDate(now, timeZone);
  if (text === "today") return days(year, month, day, timeZone);
  if (text === "yesterday") return days(year, month, day - 1, timeZone);
  const [, count, unit] = ago.exec(text) ?? [];
  if (count !== undefined) {
    const back = Number(count);
    if (unit === "d" || unit === "w") return days(year, month, day - back * (unit === "w" ? 7 : 1), timeZone);
    const months = year * 12 + month - 1 - back * (unit === "y" ? 12 : 1);
    const [backYear, backMonth] = [Math.floor(months / 12), (months % 12) + 1];
    // The last day of a shorter month.
    return days(backYear, backMonth, Math.min(day, new Date(Date.UTC(backYear, backMonth, 0)).getUTCDate()), timeZone);
  }
  const [, ofYear, ofMonth, ofDay] = written.exec(text) ?? [];
  if (ofYear === undefined) return null;
  const [y, m, d] = [Number(ofYear), Number(ofMonth ?? 1), Number(ofDay ?? 1)];
  const date = new Date(Date.UTC(y, m - 1, d));
  if (y < firstYear || date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return null;
  if (ofDay !== undefined) return days(y, m, d, timeZone);
  return span([y, m, 1], ofMonth === undefined ? [y + 1, 1, 1] : [y, m + 1, 1], timeZone);
}

/** A day of a time zone. */
export interface LocalDay extends DateSpan {
  /** As `2026-11-28`. */
  date: string;
}

/** The last days of a time zone, which end with today, oldest first. */
export function lastDays(count: number, { now, timeZone }: { now: Date; timeZone: string }): LocalDay[] {
  const { year, month, day } = localDate(now, timeZone);
  let end = startOfDay([year, month, day - count + 1], timeZone);
  return Array.from({ length: count }, (_, index) => {
    const date: CalendarDay = [year, month, day - count + 1 + index];
    const start = end;
    end = nextDay(start, date, timeZone);
    return { date: new Date(Date.UTC(date[0], date[1] - 1, date[2])).toISOString().slice(0, 10), start, end };
  });
}

/** The first instant of the day after `date`, which began at `start`: to ask for it anew costs six looks at the zone, not two. */
function nextDay(start: Date, [year, month, day]: CalendarDay, timeZone: string): Date {
  const next = new Date(start.getTime() + dayMs);
  const midnight = Date.UTC(year, month - 1, day);
  const isUnchanged = [start, next].every(
    (at, index) => at.getTime() + offset(at, timeZone) === midnight + index * dayMs,
  );
  return isUnchanged ? next : startOfDay([year, month, day + 1], timeZone);
}

/** Whether a name is that of a time zone of the IANA, which this process knows. */
export function isTimeZone(name: string): boolean {
  // ICU takes offsets as well in some versions.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Before it nothing was written, and Date.UTC takes the years below 100 for others. */
const firstYear = 1_000;

const days = (year: number, month: number, day: number, timeZone: string) =>
  span([year, month, day], [year, month, day + 1], timeZone);

/** Year, month and day; a day past the end of its month is one of the next. */
type CalendarDay = [number, number, number];

function span(from: CalendarDay, until: CalendarDay, timeZone: string): DateSpan | null {
  if (from[0] < firstYear) return null;
  const start = startOfDay(from, timeZone);
  const end = startOfDay(until, timeZone);
  return Number.isNaN(start.getTime()) || Number.isNaN(end.getTime()) ? null : { start, end };
}

/** The first instant of a day; where a clock skips midnight, that of the next hour. */
function startOfDay([year, month, day]: CalendarDay, timeZone: string): Date {
  const midnight = Date.UTC(year, month - 1, day);
  const candidates = [-dayMs, 0, dayMs].map((shift) => midnight - offset(new Date(midnight + shift), timeZone));
  const exact = candidates.filter((at) => at + offset(new Date(at), timeZone) === midnight);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates));
}

/** Milliseconds by which the clocks of a time zone are ahead of UTC. */
function offset(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = localDate(at, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1_000) * 1_000;
}

function localDate(at: Date, timeZone: string) {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const digits = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en", { timeZone, hourCycle: "h23", ...digits, second: "2-digit" });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    ...{ year: part("year"), month: part("month"), day: part("day") },
    ...{ hour: part("hour"), minute: part("minute"), second: part("second") },
  };
}
