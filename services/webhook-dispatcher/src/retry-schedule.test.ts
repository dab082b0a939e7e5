import { expect, test } from "vitest";
import { retryDelayMs } from "./retry-schedule.js";

test("a delivery waits 5 seconds after the first failure, 15 after the second, and is given up after the third", () => {
  expect([1, 2, 3, 4].map(retryDelayMs)).toEqual([5_000, 15_000, null, null]);
});
