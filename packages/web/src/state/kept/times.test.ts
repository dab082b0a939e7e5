import { expect, test } from "vitest";
import { daysToMonday, fieldOf, inMinutes, momentOf, morningIn } from "./times.js";

test("times are of the device's clock, also around midnight and the end of a month", () => {
  const late = new Date(2026, 0, 31, 23, 50);
  expect(fieldOf(inMinutes(20, late))).toBe("2026-02-01T00:10");
  expect(fieldOf(morningIn(1, late))).toBe("2026-02-01T09:00");
  expect(momentOf(fieldOf(late))).toEqual(late);
  expect(momentOf("")).toBeNull();
});

test("the next Monday is one to seven days away", () => {
  // 2026-02-02 is a Monday.
  const days = Array.from({ length: 7 }, (_, day) => daysToMonday(new Date(2026, 1, 2 + day, 12)));
  expect(days).toEqual([7, 6, 5, 4, 3, 2, 1]);
});
