import { expect, test } from "vitest";
import { dateSpan, isTimeZone, lastDays } from "./dates.js";

const now = new Date("2026-03-31T22:30:00Z");

test.each([
  ["today", "UTC", "2026-03-31T00:00:00Z", "2026-04-01T00:00:00Z"],
  // Summer time began on the 29th, and it is past midnight.
  ["today", "Europe/Berlin", "2026-03-31T22:00:00Z", "2026-04-01T22:00:00Z"],
  ["Yesterday", "Europe/Berlin", "2026-03-30T22:00:00Z", "2026-03-31T22:00:00Z"],
  ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
  ["2026-3-9", "UTC", "2026-03-09T00:00:00Z", "2026-03-10T00:00:00Z"],
  ["2026-03", "Europe/Berlin", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"],
  ["2025", "America/New_York", "2025-01-01T05:00:00Z", "2026-01-01T05:00:00Z"],
  ["2025-12", "UTC", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"],
  ["7d", "UTC", "2026-03-24T00:00:00Z", "2026-03-25T00:00:00Z"],
  ["2w", "UTC", "2026-03-17T00:00:00Z", "2026-03-18T00:00:00Z"],
  ["1m", "UTC", "2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z"],
  ["3m", "UTC", "2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z"],
  ["1y", "UTC", "2025-03-31T00:00:00Z", "2025-04-01T00:00:00Z"],
  // The clocks skip midnight.
  ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"],
])("%j in %s is from %s until %s", (value, timeZone, start, end) => {
  expect(dateSpan(value, { now, timeZone })).toEqual({ start: new Date(start), end: new Date(end) });
});

test.each(["", "soon", "2026-13", "2026-02-30", "2026-00", "0001", "99999y", "7", "d7", "12:30", "2026-11-28-1"])(
  "%j is no date",
  (value) => {
    expect(dateSpan(value, { now, timeZone: "UTC" })).toBeNull();
  },
);

test.each([
  // Summer time begins on the 29th of March, and ends on the 25th of October.
  ["2026-03-30T21:59:59Z", "Europe/Berlin", ["2026-03-28 24", "2026-03-29 23", "2026-03-30 24"]],
  ["2026-03-30T22:00:00Z", "Europe/Berlin", ["2026-03-29 23", "2026-03-30 24", "2026-03-31 24"]],
  ["2026-10-26T00:00:00Z", "Europe/Berlin", ["2026-10-24 24", "2026-10-25 25", "2026-10-26 24"]],
  ["2026-01-01T09:59:59Z", "Pacific/Honolulu", ["2025-12-29 24", "2025-12-30 24", "2025-12-31 24"]],
  ["2018-11-05T12:00:00Z", "America/Sao_Paulo", ["2018-11-03 24", "2018-11-04 23", "2018-11-05 24"]],
  ["2024-03-01T00:00:00Z", "UTC", ["2024-02-28 24", "2024-02-29 24", "2024-03-01 24"]],
])("the last days at %s in %s follow each other with the hours that their clocks show", (now, timeZone, expected) => {
  const days = lastDays(3, { now: new Date(now), timeZone });
  const hours = ({ start, end }: { start: Date; end: Date }) => (end.getTime() - start.getTime()) / 3_600_000;
  expect(days.map((day) => `${day.date} ${hours(day)}`)).toEqual(expected);
  expect(days.slice(1).map(({ start }) => start)).toEqual(days.slice(0, -1).map(({ end }) => end));
  expect(days.at(-1)?.start.getTime()).toBeLessThanOrEqual(Date.parse(now));
  expect(days.at(-1)?.end.getTime()).toBeGreaterThan(Date.parse(now));
});

test.each([
  ["Europe/Berlin", true],
  ["UTC", true],
  ["America/Argentina/Buenos_Aires", true],
  ["Etc/GMT+5", true],
  ["Mars/Olympus", false],
  ["+02:00", false],
  ["", false],
])("%j is a time zone: %s", (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});
