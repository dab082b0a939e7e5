import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";
import { z } from "zod";
import type { Installation } from "./installation.js";

const minuteMs = 60_000;

/** The labels of an alert of deploy/monitoring/alerts.yml, its name among them. */
export type Alert = Readonly<Record<string, string>> & { readonly alertname: string };

/** The alerts of the Prometheus of an installation. */
export interface Alerts {
  /** What the expression of a firing alert has; null where it does not fire. */
  readonly valueOf: (alert: Alert) => Promise<number | null>;
  /** Waits until it fires with a value above `value`; returns the seconds since then (a time of `performance.now()`). */
  readonly untilFires: (alert: Alert, value: number, since: number) => Promise<number>;
  readonly untilResolved: (alert: Alert) => Promise<unknown>;
}

const Answer = z.object({
  data: z.object({
    alerts: z.array(
      z.object({ labels: z.record(z.string(), z.string()), state: z.string(), value: z.coerce.number() }),
    ),
  }),
});

/** A file for Compose that publishes Prometheus, and the address that it has by it. */
export async function publishPrometheus(): Promise<{ file: string; url: string }> {
  const port = await findFreePort();
  const file = join(await mkdtemp(join(runContext().folder, "prometheus-")), "compose.yml");
  await writeFile(file, `services:\n  prometheus:\n    ports: ["127.0.0.1:${port}:9090"]\n`);
  return { file, url: `http://127.0.0.1:${port}` };
}

/** Starts Prometheus and the exporter that its rules are to read; null where their images cannot be had. */
export async function startAlerts(
  installation: Installation,
  url: string,
  exporter: "blackbox" | "postgres-exporter",
): Promise<Alerts | null> {
  const monitoring = (...args: string[]) =>
    installation.compose(["--profile", "monitoring", ...args, "prometheus", exporter]);
  try {
    await monitoring("pull", "--quiet", "--policy", "missing");
  } catch (error) {
    process.stdout.write(`drill: no alerts, as Prometheus and ${exporter} cannot be had: ${String(error)}\n`);
    return null;
  }
  await monitoring("up", "--detach", "--wait");
  const find = async (alert: Alert) => {
    const { data } = Answer.parse(await (await fetch(`${url}/api/v1/alerts`)).json());
    return data.alerts.find(
      ({ labels, state }) =>
        state === "firing" && Object.entries(alert).every(([name, value]) => labels[name] === value),
    );
  };
  return {
    valueOf: async (alert) => (await find(alert))?.value ?? null,
    untilFires: async (alert, value, since) => {
      await waitUntil(async () => ((await find(alert))?.value ?? Number.NEGATIVE_INFINITY) > value, {
        timeoutMs: 6 * minuteMs,
        what: JSON.stringify(alert),
      });
      return (performance.now() - since) / 1_000;
    },
    untilResolved: (alert) =>
      waitUntil(async () => (await find(alert)) === undefined, {
        timeoutMs: 3 * minuteMs,
        what: `the end of ${JSON.stringify(alert)}`,
      }),
  };
}
