import { repeat } from "@parley/service-runtime";
import { Counter, Gauge, Histogram } from "prom-client";
import { startMonitor } from "../start-monitor.js";
import { probeConfigSchema } from "./config.js";
import { Probe, ProbeError } from "./probe.js";

// Posts a message every few seconds and waits for it at /ws: the experience of users with the whole installation.

await startMonitor("probe", probeConfigSchema, async ({ config, logger, registry, own, onStop }) => {
  const registers = [registry];
  const seconds = new Histogram({
    name: "parley_probe_seconds",
    help: "From the post of a probe's message to its arrival at /ws",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const failures = new Counter({
    name: "parley_probe_failures_total",
    help: "Probes that failed, by where: connect, post or socket",
    labelNames: ["stage"],
    registers,
  });
  const success = new Gauge({ name: "parley_probe_success", help: "1 when the latest probe succeeded", registers });
  const { PROBE_URL: url, PROBE_TOKEN: token, PROBE_CHANNEL_ID: channelId, PROBE_TIMEOUT_MS: timeoutMs } = config;
  const probe = own("probe", new Probe({ url, token, channelId, timeoutMs }));
  const run = async () => {
    try {
      seconds.observe(await probe.run());
      success.set(1);
    } catch (err) {
      const stage = err instanceof ProbeError ? err.stage : "socket";
      failures.inc({ stage });
      success.set(0);
      logger.warn({ err, stage }, "the probe failed");
    }
  };
  onStop("probes", repeat(run, config.PROBE_INTERVAL_MS));
});
