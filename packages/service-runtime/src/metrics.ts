import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** One process's metrics. Create counters and histograms with `registers: [metrics.registry]`. */
export interface Metrics {
  registry: Registry;
  /** The media type of `text()`. */
  contentType: string;
  /** All metrics in the Prometheus text format 0.0.4. */
  text(): Promise<string>;
}

/** Between two looks at the event loop, in milliseconds. At the library's 10, an idle process wakes 100 times a second for them. */
const loopMonitorMs = 50;

/**
 * A registry of its own with the default process metrics. Samples have the labels of their metric alone; Prometheus
 * adds the label `job`, the service.
 *
 * @param build the running version, for `parley_build_info`
 */
export function createMetrics(build?: { service: string; version: string }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopMonitorMs });
  if (build !== undefined) {
    const help = "Always 1; its labels say which version of which service runs";
    new Gauge({ name: "parley_build_info", help, labelNames: ["service", "version"], registers: [registry] }).set(
      build,
      1,
    );
  }
  return { registry, contentType: registry.contentType, text: () => registry.metrics() };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether a request may read metrics: its socket peer is loopback and no proxy forwarded it (docs/protocol/operators.md#15). */
export function metricsAllowed(request: Pick<IncomingMessage, "socket" | "headers">): boolean {
  const { "x-forwarded-for": forwardedFor, forwarded } = request.headers;
  if (forwardedFor !== undefined || forwarded !== undefined) return false;
  const peer = request.socket.remoteAddress ?? "";
  const version = isIP(peer);
  return version !== 0 && loopback.check(peer, version === 6 ? "ipv6" : "ipv4");
}
