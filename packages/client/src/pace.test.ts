import { expect, test } from "vitest";
import { Pace } from "./pace.js";

const bucket = (remaining: number) => ({ limit: 10, remaining, msPerToken: 100 });

test("requests are sent while the bucket has tokens for all that are under way, and then at its rate", () => {
  const pace = new Pace();
  pace.learn({ number: pace.take(0), state: bucket(3), refusedMs: null, inFlight: 0 }, 0);
  for (let sent = 0; sent < 3; sent += 1) {
    expect(pace.waitMs(0)).toBe(0);
    pace.take(0);
  }
  expect(pace.waitMs(0)).toBe(100);
  expect(pace.waitMs(100)).toBe(0);
});

test("an answer that another one has overtaken does not bring back the tokens of what was sent since", () => {
  const pace = new Pace();
  const [older, newer] = [pace.take(0), pace.take(0)];
  pace.learn({ number: newer, state: bucket(1), refusedMs: null, inFlight: 1 }, 0);
  pace.learn({ number: older, state: bucket(9), refusedMs: null, inFlight: 0 }, 0);
  expect(pace.waitMs(0)).toBeGreaterThan(0);
});

test("after a refusal nothing is sent before its time, and where others use the bucket a smaller share of it is", () => {
  const pace = new Pace();
  pace.learn({ number: pace.take(0), state: bucket(9), refusedMs: null, inFlight: 0 }, 0);
  pace.learn({ number: pace.take(0), state: null, refusedMs: 1_000, inFlight: 0 }, 0);
  expect(pace.waitMs(0)).toBeGreaterThanOrEqual(1_000);
  expect(pace.waitMs(999)).toBeGreaterThan(0);
  expect(pace.waitMs(2_000)).toBe(0);
  // Half of the remaining tokens belong to others.
  pace.learn({ number: pace.take(2_000), state: bucket(8), refusedMs: null, inFlight: 0 }, 2_000);
  for (let sent = 0; sent < 4; sent += 1) pace.take(2_000);
  expect(pace.waitMs(2_000)).toBeGreaterThan(0);
});
