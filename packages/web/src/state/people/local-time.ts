// Times of day to compare with, which nobody reads.

/** The time of day in a time zone, as `22:00`. */
export const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);

/** The time zone of the device, as the IANA names it. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
