import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { measureProcessorTime } from "./processor-time.js";

test.runIf(existsSync("/proc/self/stat"))("the processor time counts what ended processes have used", () => {
  const measured = measureProcessorTime();
  const work = "for (let used = 0; used < 300_000; used = process.cpuUsage().user);";
  execFileSync(process.execPath, ["-e", work]);
  expect(measured()).toBeGreaterThanOrEqual(0.29);
});
