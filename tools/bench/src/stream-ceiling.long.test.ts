import { expect, test } from "vitest";
import { measureCeiling, quickSizes } from "./stream-ceiling.js";

test.each(quickSizes.processes)(
  "the benchmark counts what %i apis send and as many gateways deliver, and what each stage takes",
  async (processes) => {
    const { perSecond, sent, delivered, cpuMicros } = await measureCeiling(processes, quickSizes);
    expect(sent).toBeGreaterThan(0);
    expect(delivered).toBe(sent * processes);
    expect(perSecond).toBeGreaterThan(0);
    for (const micros of Object.values(cpuMicros)) expect(micros).toBeGreaterThan(0);
  },
);
