import type { InsightDay, LocalDay } from "@parley/contracts";

/** A message that began before the end of a day may be stored after it: a day is counted for the last time when this has passed. */
const lateMs = 300_000;

/**
 * The days that are to be counted, oldest first: those without figures, those that were not over when they were counted, and
 * today.
 *
 * @param days the last one is today
 * @param counted when each date was counted last
 */
export function daysToCount(
  days: readonly LocalDay[],
  { counted, since, now }: { counted: ReadonlyMap<string, Date>; since: Date; now: Date },
): LocalDay[] {
  const today = days.at(-1);
  return days.filter((day) => {
    if (day === today) return true;
    if (day.end <= since) return false;
    const at = counted.get(day.date);
    const closesAt = day.end.getTime() + lateMs;
    return at === undefined || at < day.end || (at.getTime() < closesAt && now.getTime() >= closesAt);
  });
}

/** Every day in turn; one that was not counted has nothing but the members of the day before. */
export function fillDays(dates: readonly string[], counted: readonly InsightDay[]): InsightDay[] {
  const byDate = new Map(counted.map((day) => [day.date, day]));
  let members = 0;
  return dates.map((date) => {
    const day = byDate.get(date);
    members = day?.members ?? members;
    return day ?? { date, joins: 0, leaves: 0, members, active_members: 0, writers: 0, messages: 0 };
  });
}
