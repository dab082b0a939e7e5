import { expect, test } from "vitest";
import { retryDelaysMs } from "./limits.js";
import { pushRetryDelaysMs } from "./push/limits.js";

// The other tests shorten these or pass over them.
test("a delivery waits 5 seconds after the first failure, 15 after the second, and is given up after the third", () => {
  expect(retryDelaysMs).toEqual([5_000, 15_000]);
});

test("a push waits 5 seconds, 30 seconds and 5 minutes after failures, and is given up after the fourth", () => {
  expect(pushRetryDelaysMs).toEqual([5_000, 30_000, 300_000]);
});
