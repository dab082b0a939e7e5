import { createLogger } from "@parley/service-runtime";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRowFailures, RestingRows } from "./resting-rows.js";

test("a row whose work fails keeps no other row waiting, and rests twice as long after each failure", async () => {
  let now = 0;
  const registry = new Registry();
  const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
  const rows = new RestingRows({ job: "bans", failures: createRowFailures(registry), logger, now: () => now });
  const done: string[] = [];
  const work = async (row: string) => {
    if (row === "bad") throw new Error("never works");
    done.push(row);
  };
  const restsAt = async (time: number) => {
    now = time;
    return rows.keys();
  };

  await rows.each(["bad", "good"], (row) => row, work);
  expect(done).toEqual(["good"]);
  expect(await restsAt(1_999)).toEqual(["bad"]);
  expect(await restsAt(2_000)).toEqual([]);
  await rows.each(["bad"], (row) => row, work);
  expect(await restsAt(5_999)).toEqual(["bad"]);
  expect(await restsAt(6_000)).toEqual([]);
  expect(await registry.metrics()).toContain('job_row_failures_total{work="bans"} 2');

  await rows.each(
    ["bad"],
    (row) => row,
    async () => undefined,
  );
  expect(rows.keys()).toEqual([]);
});

test("a failure while PostgreSQL is out of reach says nothing about the row, and ends the round", async () => {
  const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
  const rows = new RestingRows({ job: "bans", failures: createRowFailures(new Registry()), logger });
  const outage = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  await expect(
    rows.each(
      ["row"],
      (row) => row,
      () => Promise.reject(outage),
    ),
  ).rejects.toBe(outage);
  expect(rows.keys()).toEqual([]);
});
