import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStaleCountTracker, overlapMs } from "./stale-counts.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tracker with a clock, and the ids of the messages whose counts it has read again. */
function tracking(start: number) {
  const clock = { now: start };
  const again: string[] = [];
  const tracker = createStaleCountTracker(
    async ({ id }) => {
      again.push(id);
    },
    () => clock.now,
  );
  const message = (id: string) => ({ id, channel_id: "channel" });
  /** The ids that the page reads again because of the messages until now. */
  const readAgain = () => {
    vi.runAllTimers();
    return again.splice(0);
  };
  return {
    clock,
    readAgain,
    sawEvent: (id: string) => tracker.sawEvent(message(id)),
    sawRead: (...ids: string[]) => tracker.sawRead(ids.map(message)),
  };
}

test("an event soon after a read, and a read soon after an event, has the count read again, once", () => {
  const { clock, readAgain, sawEvent, sawRead } = tracking(0);
  sawRead("a", "b");
  expect(readAgain()).toEqual([]);
  clock.now += overlapMs - 1;
  sawEvent("a");
  sawEvent("a");
  sawEvent("c");
  expect(readAgain()).toEqual(["a"]);
  clock.now += overlapMs - 1;
  sawRead("a", "b", "c");
  expect(readAgain()).toEqual(["a", "c"]);
});

test("a count is right when the event and the read are further apart", () => {
  const { clock, readAgain, sawEvent, sawRead } = tracking(1_000_000);
  sawRead("a");
  clock.now += overlapMs;
  sawEvent("a");
  clock.now += overlapMs;
  sawRead("a");
  expect(readAgain()).toEqual([]);
});
