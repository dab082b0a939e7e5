import { lastDays } from "@parley/contracts";
import { expect, test } from "vitest";
import { daysToCount, fillDays } from "./days.js";

const at = (time: string) => new Date(`2026-03-${time}Z`);

test.each([
  ["nothing is counted", [], ["27", "28", "29", "30"]],
  ["the server is younger", [], ["29", "30"], "29T12:00:00"],
  ["all are final", ["27", "28", "29", "30"], ["30"]],
  ["a day was missed", ["27", "29"], ["28", "30"]],
  ["a day was counted before its end", ["27", "28", "29T20:00:00"], ["29", "30"]],
  [
    "a day was counted so soon after its end that messages may be missing",
    ["27", "28", "30T00:01:00 29"],
    ["29", "30"],
  ],
])("when %s, the days to count are chosen", (_, counted, expected, since = "01T00:00:00") => {
  const now = at("30T08:00:00");
  const days = lastDays(4, { now, timeZone: "UTC" });
  const times = counted.map((text) => {
    const [time = "", day = time.slice(0, 2)] = text.split(" ");
    const ended = new Date(Date.parse(`2026-03-${day}T00:05:00Z`) + 86_400_000);
    return [`2026-03-${day}`, time.includes("T") ? at(time) : ended] as const;
  });
  const chosen = daysToCount(days, { counted: new Map(times), since: at(since), now });
  expect(chosen.map(({ date }) => date.slice(-2))).toEqual(expected);
});

test("a day that has just ended is not counted again until messages that were late are stored", () => {
  const now = at("30T00:02:00");
  const days = lastDays(2, { now, timeZone: "UTC" });
  const counted = new Map([["2026-03-29", at("30T00:00:01")]]);
  const dates = (time: Date) =>
    daysToCount(days, { counted, since: at("01T00:00:00"), now: time }).map(({ date }) => date);
  expect(dates(now)).toEqual(["2026-03-30"]);
  expect(dates(at("30T00:05:00"))).toEqual(["2026-03-29", "2026-03-30"]);
});

test("days without a row have the members of the day before, and nothing else", () => {
  const day = { joins: 2, leaves: 1, members: 5, active_members: 4, writers: 3, messages: 9 };
  const empty = { joins: 0, leaves: 0, active_members: 0, writers: 0, messages: 0 };
  const rows = [{ date: "2026-03-29", ...day }];
  expect(fillDays(["2026-03-28", "2026-03-29", "2026-03-30"], rows)).toEqual([
    { date: "2026-03-28", members: 0, ...empty },
    { date: "2026-03-29", ...day },
    { date: "2026-03-30", members: 5, ...empty },
  ]);
});
