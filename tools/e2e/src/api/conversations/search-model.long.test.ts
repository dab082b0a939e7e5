import { seed } from "@parley/testing";
import { test } from "vitest";
import { runRounds } from "./search-model.js";

test("10,000 searches find what scans of the readable history find", { timeout: 1_200_000 }, async () => {
  await runRounds({ rounds: 100, queries: 100, seed });
});
