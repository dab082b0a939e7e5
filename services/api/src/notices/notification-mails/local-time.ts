const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The date and time of day in a time zone, as if they were in UTC. By the names that Node.js knows, as settings are checked
 * by them: PostgreSQL may lack some of these.
 */
function localTime(timezone: string, at: Date): Date {
  let format = formats.get(timezone);
  if (format === undefined) {
    const digits = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en", { timeZone: timezone, hourCycle: "h23", ...digits, second: "2-digit" });
    formats.set(timezone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/** The instant of a date and time of day in a time zone; of one that a change of the clocks leaves out, an hour later or earlier. */
function instantOf(timezone: string, local: number): Date {
  const shift = (at: number) => localTime(timezone, new Date(at)).getTime() - at;
  // A change of the clocks may lie between the two instants, so the shift at the result decides.
  const near = local - shift(local);
  return new Date(local - shift(near));
}

/** The local date as `2026-01-31`. */
const localDate = (timezone: string, at: Date): string => localTime(timezone, at).toISOString().slice(0, 10);

/** The first instant after another one at which clocks of a time zone show a time, such as `08:00`. */
export function nextLocalTime(timezone: string, time: string, after: Date): Date {
  const secondsOff = 1_000;
  const from = new Date(Math.ceil(after.getTime() / secondsOff) * secondsOff);
  const today = Date.parse(`${localDate(timezone, from)}T${time}:00Z`);
  for (const day of [today, today + dayMs]) {
    const instant = instantOf(timezone, day);
    if (instant > after) return instant;
  }
  return instantOf(timezone, today + 2 * dayMs);
}

/** When the next daily mail is due: one for each local date, whichever time zones an account had meanwhile. */
export function nextDailyTime(timezone: string, time: string, now: Date, sentAt: Date | null): Date {
  const next = nextLocalTime(timezone, time, now);
  const isSecond = sentAt !== null && localDate(timezone, sentAt) === localDate(timezone, next);
  return isSecond ? nextLocalTime(timezone, time, next) : next;
}

/** The end of the quiet hours that it is in; null outside of them. They may go past midnight. */
export function quietUntil(
  { quiet, timezone }: { quiet: { from: string; to: string } | null; timezone: string },
  now: Date,
): Date | null {
  if (quiet === null) return null;
  const time = localTime(timezone, now).toISOString().slice(11, 16);
  const isQuiet = quiet.from < quiet.to ? time >= quiet.from && time < quiet.to : time >= quiet.from || time < quiet.to;
  return isQuiet ? nextLocalTime(timezone, quiet.to, now) : null;
}
