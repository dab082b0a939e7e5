import { expect, test } from "vitest";
import { dayOf, startOf } from "./days.js";

test.each(["2026-01-02", "2026-03-29", "2026-10-25", "2024-02-29", "1970-01-01"])(
  "the day %s begins at its first instant where the reader is",
  (day) => {
    const start = new Date(startOf(day));
    expect(dayOf(start)).toBe(day);
    expect(dayOf(new Date(start.getTime() - 1))).not.toBe(day);
  },
);
