import { createLogger } from "@parley/service-runtime";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { type Batch, type Job, untilNone } from "./job.js";
import type { DueRows } from "./repeat.js";
import { createJobCounts, runJob } from "./run-job.js";

const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });

/** Runs a job whose rows are due when the test says so, until its rounds are `rounds`. */
async function runRounds(job: Omit<Job, "when" | "causes">, rounds: number): Promise<string> {
  const registry = new Registry();
  let begin = () => {};
  const due: DueRows = {
    subscribe(begins) {
      begin = begins;
      return () => undefined;
    },
  };
  const counts = createJobCounts(registry);
  const running = runJob({ ...job, causes: [], when: { due: "SELECT" } }, { due, counts, logger });
  await expect
    .poll(async () => {
      begin();
      const { values } = await counts.rounds.get();
      return values.reduce((sum, { value }) => sum + value, 0);
    })
    .toBeGreaterThanOrEqual(rounds);
  await running.close();
  return registry.metrics();
}

test("a round goes on while batches say so, and its rows are counted", async () => {
  const left = [3, 2, 0];
  const metrics = await runRounds({ name: "bans", sizeMax: 3, batch: async () => untilNone(left.shift() ?? 0) }, 1);
  expect(left).toEqual([]);
  expect(metrics).toContain('job_rows_total{work="bans"} 5');
  expect(metrics).toMatch(/job_rounds_total\{work="bans",outcome="done"\} [1-9]/);
  expect(metrics).toContain('job_rounds_total{work="bans",outcome="failed"} 0');
});

test("a batch that fails ends its round, is counted, and the next one takes a quarter of the rows", async () => {
  const sizes: number[] = [];
  const batch = async ({ size }: Batch) => {
    sizes.push(size);
    if (size === 100) throw new Error("took too long");
    return untilNone(0);
  };
  const metrics = await runRounds({ name: "bans", sizeMax: 100, batch }, 2);
  expect(sizes.slice(0, 2)).toEqual([100, 25]);
  expect(metrics).toMatch(/job_rounds_total\{work="bans",outcome="failed"\} [1-9]/);
});

test("when a job is closed, it ends what its batches have begun", async () => {
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };
  await runRounds({ name: "link cards", batch: async () => untilNone(0), close }, 1);
  expect(isClosed).toBe(true);
});
