import { expect, test } from "vitest";
import { compareReports } from "./compare.js";

test("lines that differ only in their numbers are compared, and what both have is no ratio", () => {
  const now = ["16 lanes: 1,500/s, p50 2.0 ms, p99 9 ms  (goal: 10)", "without figures", "lost: 0 of 604"];
  const then = ["starting", "16 lanes: 1,000/s, p50 4.0 ms, p99 9 ms (goal: 10)", "lost: 2 of 604"];
  expect(compareReports(now, then)).toEqual([
    { line: now[0], ratios: ["1.50", "0.50"] },
    { line: now[2], ratios: ["0.00"] },
  ]);
});

test("lines of one shape are compared in their order, and one that the other version lacks has no ratios", () => {
  expect(compareReports(["| a | 2 |", "| a | 9 |", "| b | 1 |", "| a | 5 |"], ["| a | 4 |", "| a | 0 |"])).toEqual([
    { line: "| a | 2 |", ratios: ["0.50"] },
    { line: "| a | 9 |", ratios: ["–"] },
    { line: "| b | 1 |", ratios: null },
    { line: "| a | 5 |", ratios: null },
  ]);
});
