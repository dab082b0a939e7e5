import { expect, test } from "vitest";
import { insightsCsv } from "./insights.js";

test("days are written as CSV with a line of names", () => {
  const day = { date: "2026-03-29", joins: 2, leaves: 1, members: 5, active_members: 4, writers: 3, messages: 9 };
  expect(insightsCsv([day])).toBe(
    "date,joins,leaves,members,active_members,writers,messages\r\n2026-03-29,2,1,5,4,3,9\r\n",
  );
});
