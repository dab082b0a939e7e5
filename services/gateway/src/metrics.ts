import type { ResyncReason } from "@parley/contracts";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { DeliveryDelays } from "./delivery-delays.js";

/**
 * The gateway's counters. Hot paths increment plain numbers; Prometheus samples are made of them at each scrape.
 */
export interface GatewayMetrics {
  connections: number;
  framesSent: number;
  bytesSent: number;
  bytesSaved: number;
  writes: number;
  slowCloses: number;
  eventsReceived: number;
  messagesDropped: number;
  gapsFilled: number;
  eventsRecovered: number;
  resynchronisations: number;
  permissionReloads: number;
  resumed: number;
  resyncs: Record<ResyncReason, number>;
  eventsReplayed: number;
  activitiesSent: number;
  /** Servers that are passive, and channels whose unread messages are counted for them; read at each scrape. */
  readPassive(): { servers: number; channels: number };
  readonly delays: DeliveryDelays;
  /** @param since when the event arrived that the first of the connections waited with */
  observeFlush(connections: number, waitedMs: number, since: number): void;
  observeReady(tookMs: number): void;
}

const delayBuckets = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5];

/** Registers the gateway's metrics (docs/processes/observability.md#observability). */
export function createGatewayMetrics(registry: Registry): GatewayMetrics {
  const registers = [registry];
  const flushDelay = new Histogram({
    name: "gateway_fan_out_seconds",
    help: "From the arrival of an event to its write, sampled at the connection of each flush that waited longest",
    buckets: delayBuckets,
    registers,
  });
  const delivery = new Histogram({
    name: "gateway_delivery_seconds",
    help: "From the insert of an event into the outbox to its write to sockets, sampled as gateway_fan_out_seconds is",
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const flushSize = new Histogram({
    name: "gateway_flush_connections",
    help: "Connections written to in one slice of a flush",
    buckets: [1, 4, 16, 64, 256],
    registers,
  });
  const readyTime = new Histogram({
    name: "gateway_ready_seconds",
    help: "From the upgrade to READY, waiting included",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const metrics: GatewayMetrics = {
    connections: 0,
    framesSent: 0,
    bytesSent: 0,
    bytesSaved: 0,
    writes: 0,
    slowCloses: 0,
    eventsReceived: 0,
    messagesDropped: 0,
    gapsFilled: 0,
    eventsRecovered: 0,
    resynchronisations: 0,
    permissionReloads: 0,
    resumed: 0,
    resyncs: { unknown: 0, expired: 0, filter: 0, membership: 0, too_many: 0 },
    eventsReplayed: 0,
    activitiesSent: 0,
    readPassive: () => ({ servers: 0, channels: 0 }),
    delays: new DeliveryDelays(),
    observeFlush(connections, waitedMs, since) {
      flushSize.observe(connections);
      flushDelay.observe(waitedMs / 1_000);
      const seconds = metrics.delays.secondsSinceInsert(since);
      if (seconds !== null) delivery.observe(seconds);
    },
    observeReady: (tookMs) => readyTime.observe(tookMs / 1_000),
  };
  new Gauge({
    name: "gateway_connections",
    help: "Open connections",
    registers,
    collect() {
      this.set(metrics.connections);
    },
  });
  for (const [name, help, part] of [
    ["passive_servers", "Servers of which connections get only what they show", "servers"],
    ["channel_tallies", "Channels of such servers whose unread messages are counted", "channels"],
  ] as const)
    new Gauge({
      name: `gateway_${name}`,
      help,
      registers,
      collect() {
        this.set(metrics.readPassive()[part]);
      },
    });
  const count = (name: string, help: string, read: () => number) => {
    new Counter({
      name: `gateway_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  count("frames_sent", "Frames written to clients", () => metrics.framesSent);
  count("sent_bytes", "Bytes of events written to clients", () => metrics.bytesSent);
  count("saved_bytes", "Bytes that compressing events saved", () => metrics.bytesSaved);
  count("writes", "Writes that carried those frames", () => metrics.writes);
  count("slow_closes", "Connections closed because the client did not read", () => metrics.slowCloses);
  count("events_received", "Events received from NATS", () => metrics.eventsReceived);
  count("messages_dropped", "Messages of clients over their rate", () => metrics.messagesDropped);
  count("gaps_filled", "Gaps in the stream of events that were filled", () => metrics.gapsFilled);
  count("events_recovered", "Events read again to fill gaps", () => metrics.eventsRecovered);
  count(
    "resynchronisations",
    "Times connections were closed because a gap could not be filled",
    () => metrics.resynchronisations,
  );
  count("permission_reloads", "Times a server's permissions were read", () => metrics.permissionReloads);
  count("resumed", "Connections that continued", () => metrics.resumed);
  count("replayed_events", "Events sent to connections that continued", () => metrics.eventsReplayed);
  count("channel_activities", "CHANNEL_ACTIVITY sent for passive servers", () => metrics.activitiesSent);
  new Counter({
    name: "gateway_resyncs_total",
    help: "Connections that asked to continue and got READY, by reason",
    labelNames: ["reason"],
    registers,
    collect() {
      this.reset();
      for (const [reason, times] of Object.entries(metrics.resyncs)) this.inc({ reason }, times);
    },
  });
  return metrics;
}
