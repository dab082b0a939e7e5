import { seed } from "@parley/testing";
import { test } from "vitest";
import { runRounds } from "./search-model.js";

test("a search finds what a scan of the readable history finds, whatever was written, changed and hidden", async () => {
  await runRounds({ rounds: 2, queries: 60, seed });
});
