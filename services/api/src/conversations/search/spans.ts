import { periodOf, periodSeconds } from "./matches-repository.js";

/** The order of results by time. */
export type TimeOrder = "new" | "old";

/** Numbers of periods, the first and the last of some that follow each other. */
export type Span = readonly [first: number, last: number];

/** The periods that a search looks at: those of the messages there are, as far as it asks for them; null for none. */
export function searchedSpan(
  asked: { since: Date | null; until: Date | null },
  { oldest, newest }: { oldest: Date | null; newest: Date | null },
  { order, cursor }: { order: TimeOrder; cursor: string | null },
): Span | null {
  if (oldest === null || newest === null) return null;
  const at = cursor === null ? null : timeOf(cursor);
  const first = Math.max(oldest.getTime(), asked.since?.getTime() ?? 0, order === "old" ? (at ?? 0) : 0);
  const last = Math.min(
    newest.getTime(),
    asked.until?.getTime() ?? Infinity,
    order === "new" ? (at ?? Infinity) : Infinity,
  );
  return first > last ? null : [periodOf(new Date(first)), periodOf(new Date(last))];
}

/** The part of a span that is read first, in the order of results, and the rest. */
export function divide([first, last]: Span, length: number, order: TimeOrder): [part: Span, rest: Span | null] {
  const cut = Math.min(length, last - first + 1);
  const part: Span = order === "new" ? [last - cut + 1, last] : [first, first + cut - 1];
  const rest: Span = order === "new" ? [first, last - cut] : [first + cut, last];
  return [part, rest[0] > rest[1] ? null : rest];
}

/** The smallest ids of the span, and of what comes after it. */
export function idsOf([first, last]: Span): [first: string, end: string] {
  const idAt = (period: number) => {
    const hex = (Math.max(period, 0) * periodSeconds * 1_000).toString(16).padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
  };
  return [idAt(first), idAt(last + 1)];
}

/** The milliseconds that an id has; null for one of another kind. */
export function timeOf(id: string): number | null {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}
