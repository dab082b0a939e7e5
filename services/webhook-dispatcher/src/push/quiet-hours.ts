import { LRUCache } from "lru-cache";
import type { PushAccount } from "./content-rows.js";

/** Formats of the time zones of accounts; making one costs a hundred times as much as using it. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 });

/** Whether it is between the account's quiet hours (docs/protocol/notifications.md#26.1), which may go past midnight. */
export function isQuiet({ quiet_from: from, quiet_to: to, timezone }: PushAccount, now: Date): boolean {
  if (from === null || to === null) return false;
  const time = timeIn(timezone, now);
  return from < to ? time >= from && time < to : time >= from || time < to;
}

/** The time of day as HH:MM. */
function timeIn(timezone: string, now: Date): string {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: timezone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    formats.set(timezone, format);
  }
  return format.format(now);
}
