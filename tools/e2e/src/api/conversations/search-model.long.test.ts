import { seed } from "@parley/testing";
import { test } from "vitest";
import { runRounds } from "./search-model.js";

test("10,000 searches find what scans of the readable history find", { timeout: 3_600_000 }, async () => {
  const counts = await runRounds({ rounds: 100, queries: 100, seed });
  process.stdout.write(`Searches compared, with seed ${seed}: ${JSON.stringify(counts)}\n`);
});
