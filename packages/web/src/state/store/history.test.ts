import { describe, expect, test } from "vitest";
import { message } from "../app/sample-state.js";
import {
  afterLeaving,
  firstUnread,
  type History,
  keptMax,
  windowOf,
  withChanged,
  withNewer,
  withOlder,
  withoutMessage,
  withSent,
} from "./history.js";

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
/** Newest first, as the API answers. */
const page = (from: number, to: number) =>
  numbers(from, to)
    .map((number) => message(number))
    .toReversed();
const window = (from: number, to: number): History => windowOf(page(from, to), { hasOlder: true, hasNewer: true });
const ids = ({ messages }: History) => messages.map(({ id }) => Number(id.slice(1)));

describe("a window of messages", () => {
  test("a window of messages grows at both ends in the order of history", () => {
    const grown = withNewer(withOlder(window(10, 12), window(7, 9)), { ...window(13, 14), hasNewer: false });
    expect(ids(grown)).toEqual(numbers(7, 14));
    expect([grown.hasOlder, grown.hasNewer]).toEqual([true, false]);
  });

  test("a window of messages does not repeat what it has", () => {
    expect(ids(withOlder(window(10, 12), window(8, 11)))).toEqual(numbers(8, 12));
    expect(ids(withNewer(window(10, 12), window(11, 13)))).toEqual(numbers(10, 13));
  });

  test("a window of messages keeps its newest messages when nobody looks at it, and nothing when it does not reach to them", () => {
    const long = { ...window(1, keptMax + 1), hasOlder: false, hasNewer: false };
    const kept = afterLeaving(long);
    expect([kept?.messages[0]?.id, kept?.messages.length, kept?.hasOlder]).toEqual([message(2).id, keptMax, true]);
    expect(afterLeaving(window(1, 3))).toBeNull();
    const short = { ...window(1, 3), hasNewer: false };
    expect(afterLeaving(short)).toBe(short);
  });

  test("a window of messages takes a sent message once, in its place, and only at the newest end", () => {
    const atEnd = { ...window(1, 3), hasNewer: false };
    expect(ids(withSent(atEnd, message(5)))).toEqual([1, 2, 3, 5]);
    expect(ids(withSent(withSent(atEnd, message(5)), message(4)))).toEqual([1, 2, 3, 4, 5]);
    expect(withSent(atEnd, message(2))).toBe(atEnd);
    expect(ids(withSent(window(1, 3), message(5)))).toEqual([1, 2, 3]);
  });

  test("a window of messages stays the same object when a change does not concern it", () => {
    const one = window(1, 3);
    expect(withChanged(one, "other", (same) => same)).toBe(one);
    expect(withoutMessage(one, "other")).toBe(one);
    expect(ids(withoutMessage(one, message(2).id))).toEqual([1, 3]);
  });
});

describe("the first unread message", () => {
  const mixed = windowOf([message(4), message(3, { author_id: "me" }), message(2), message(1)], {
    hasOlder: false,
    hasNewer: false,
  });
  test.each([
    [0, null],
    [1, message(4).id],
    [2, message(2).id],
    [3, message(1).id],
    [4, null],
  ])("the first unread message of %i is %s", (unread, expected) => {
    expect(firstUnread(mixed, unread, "me")).toBe(expected);
  });
});
