import { expect, test } from "vitest";
import { retryDelaysMs } from "./limits.js";

// The other tests shorten these or pass over them.
test("a delivery waits 5 seconds after the first failure, 15 after the second, and is given up after the third", () => {
  expect(retryDelaysMs).toEqual([5_000, 15_000]);
});
