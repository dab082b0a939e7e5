import { describe, expect, test } from "vitest";
import { nextDailyTime, nextLocalTime, quietUntil } from "./local-time.js";

const next = (timezone: string, after: string) => nextLocalTime(timezone, "08:00", new Date(after)).toISOString();

describe("eight o'clock", () => {
  test.each([
    ["is in UTC what it says", "UTC", "2026-01-10T07:59:59.999Z", "2026-01-10T08:00:00.000Z"],
    ["is the next day's from that moment on", "UTC", "2026-01-10T08:00:00.000Z", "2026-01-11T08:00:00.000Z"],
    [
      "is an hour earlier in the winter of Berlin",
      "Europe/Berlin",
      "2026-03-28T07:00:00.000Z",
      "2026-03-29T06:00:00.000Z",
    ],
    [
      "is two hours earlier after the clocks went forward",
      "Europe/Berlin",
      "2026-03-29T00:30:00.000Z",
      "2026-03-29T06:00:00.000Z",
    ],
    [
      "is two hours earlier before they go back",
      "Europe/Berlin",
      "2026-10-24T05:00:00.000Z",
      "2026-10-24T06:00:00.000Z",
    ],
    [
      "is an hour earlier after they went back",
      "Europe/Berlin",
      "2026-10-24T06:00:00.000Z",
      "2026-10-25T07:00:00.000Z",
    ],
    ["is asked in the hour that comes twice", "Europe/Berlin", "2026-10-25T00:30:00.000Z", "2026-10-25T07:00:00.000Z"],
    ["is the evening before in Auckland", "Pacific/Auckland", "2026-01-10T18:59:00.000Z", "2026-01-10T19:00:00.000Z"],
    [
      "is the other way round in the spring of Auckland",
      "Pacific/Auckland",
      "2026-09-26T12:00:00.000Z",
      "2026-09-26T19:00:00.000Z",
    ],
    ["is at half past in India", "Asia/Calcutta", "2026-01-10T02:29:00.000Z", "2026-01-10T02:30:00.000Z"],
    [
      "is in New York of the same local date",
      "America/New_York",
      "2026-01-11T03:00:00.000Z",
      "2026-01-11T13:00:00.000Z",
    ],
  ])("%s", (_, timezone, after, expected) => {
    expect(next(timezone, after)).toBe(expected);
  });

  test("comes once for each local date, whichever time zones an account had meanwhile", () => {
    const sentAt = new Date("2026-01-10T07:00:05.000Z");
    const daily = (timezone: string) => nextDailyTime(timezone, "08:00", sentAt, sentAt).toISOString();
    expect(daily("Europe/Berlin")).toBe("2026-01-11T07:00:00.000Z");
    // It is still the tenth there, at eight o'clock an hour later.
    expect(daily("UTC")).toBe("2026-01-11T08:00:00.000Z");
    expect(nextDailyTime("UTC", "08:00", sentAt, null).toISOString()).toBe("2026-01-10T08:00:00.000Z");
  });
});

describe("quiet hours", () => {
  const night = { quiet: { from: "22:00", to: "07:00" }, timezone: "Europe/Berlin" };
  test.each([
    ["end on the next morning", night, "2026-01-10T21:00:00.000Z", "2026-01-11T06:00:00.000Z"],
    ["end on the same morning", night, "2026-01-11T05:59:00.000Z", "2026-01-11T06:00:00.000Z"],
    ["are an hour shorter when the clocks go forward", night, "2026-03-28T21:00:00.000Z", "2026-03-29T05:00:00.000Z"],
    ["are over at their end", night, "2026-01-11T06:00:00.000Z", null],
    ["have not begun before", night, "2026-01-10T20:59:00.000Z", null],
    [
      "may be by day",
      { quiet: { from: "12:00", to: "13:00" }, timezone: "UTC" },
      "2026-01-10T12:30:00.000Z",
      "2026-01-10T13:00:00.000Z",
    ],
    ["may be none", { quiet: null, timezone: "UTC" }, "2026-01-10T12:30:00.000Z", null],
  ])("%s", (_, settings, now, expected) => {
    expect(quietUntil(settings, new Date(now))?.toISOString() ?? null).toBe(expected);
  });
});
