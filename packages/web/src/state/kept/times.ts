/** The moment so many minutes from now. */
export const inMinutes = (minutes: number, now = new Date()): Date => new Date(now.getTime() + minutes * 60_000);

/** Nine o'clock in the morning of a day from now, by the clock of the device. */
export function morningIn(days: number, now = new Date()): Date {
  const day = new Date(now);
  day.setDate(day.getDate() + days);
  day.setHours(9, 0, 0, 0);
  return day;
}

/** Days until the next Monday, 1 to 7. */
export const daysToMonday = (now = new Date()): number => (8 - now.getDay()) % 7 || 7;

/** The value of a field for date and time, by the clock of the device. */
export function fieldOf(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, "2026-01-02T03:04".length);
}

/** The moment in such a field; null when it has none. */
export function momentOf(value: string): Date | null {
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
