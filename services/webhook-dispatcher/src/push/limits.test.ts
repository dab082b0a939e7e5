import { expect, test } from "vitest";
import { pushRetryDelaysMs } from "./limits.js";

// The other tests pass over these.
test("a push waits 5 seconds, 30 seconds and 5 minutes after failures, and is given up after the fourth", () => {
  expect(pushRetryDelaysMs).toEqual([5_000, 30_000, 300_000]);
});
