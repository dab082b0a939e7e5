import type { InsightDay } from "./resources/insights.js";

/** The numbers of days that figures of a server are asked for (docs/protocol/communities.md#34.8). */
export const insightSpans = [7, 28, 90] as const;
export type InsightSpan = (typeof insightSpans)[number];

/** What is counted of a day. */
export type InsightMeasure = Exclude<keyof InsightDay, "date">;

/** The order of columns in CSV and in tables. */
export const insightMeasures = [
  "joins",
  "leaves",
  "members",
  "active_members",
  "writers",
  "messages",
] as const satisfies readonly InsightMeasure[];

/** The days as CSV (RFC 4180), with a line of names. */
export function insightsCsv(days: readonly InsightDay[]): string {
  const columns = ["date", ...insightMeasures] as const;
  return [columns, ...days.map((day) => columns.map((name) => day[name]))]
    .map((row) => `${row.join(",")}\r\n`)
    .join("");
}
