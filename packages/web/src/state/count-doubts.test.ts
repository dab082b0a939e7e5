import { expect, test } from "vitest";
import { createCountDoubts, settleMs } from "./count-doubts.js";

function doubtsAt(start: number) {
  const clock = { now: start };
  return { clock, doubts: createCountDoubts(() => clock.now) };
}

test("an event soon after a read, and a read soon after an event, cannot be told apart", () => {
  const { clock, doubts } = doubtsAt(0);
  expect(doubts.sawRead(["a", "b"])).toEqual([]);
  clock.now += settleMs - 1;
  expect(doubts.sawEvent("a")).toBe(true);
  expect(doubts.sawEvent("c")).toBe(false);
  clock.now += settleMs - 1;
  expect(doubts.sawRead(["a", "b", "c"])).toEqual(["a", "c"]);
});

test("a reason to doubt a count is settled after a while", () => {
  const { clock, doubts } = doubtsAt(1_000_000);
  doubts.sawRead(["a"]);
  clock.now += settleMs;
  expect(doubts.sawEvent("a")).toBe(false);
  clock.now += settleMs;
  expect(doubts.sawRead(["a"])).toEqual([]);
});
