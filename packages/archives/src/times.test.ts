import { expect, test } from "vitest";
import { isoMilliseconds, secondsToMilliseconds } from "./times.js";

test.each([
  ["2023-02-03T14:16:29.426+00:00", "2023-02-03T14:16:29.426Z"],
  ["2023-02-03T16:43:12.9+02:00", "2023-02-03T14:43:12.900Z"],
  ["2023-02-03T08:53:29-05:00", "2023-02-03T13:53:29.000Z"],
  ["2023-02-03T08:53:29.9999999Z", "2023-02-03T08:53:29.999Z"],
])("%s is %s", (text, time) => {
  expect(isoMilliseconds(text)).toBe(Date.parse(time));
});

test.each(["", "yesterday", "2023-13-03T14:16:29Z", null, 5])("%j is no time", (value) => {
  expect(isoMilliseconds(value)).toBeNull();
});

test.each([
  ["1662433779.473120", 1_662_433_779_473],
  ["1662433779.473999", 1_662_433_779_473],
  [1_662_433_779.473, 1_662_433_779_473],
  [1_662_433_779, 1_662_433_779_000],
  ["x", null],
])("%j seconds are %j milliseconds", (seconds, milliseconds) => {
  expect(secondsToMilliseconds(seconds)).toBe(milliseconds);
});
