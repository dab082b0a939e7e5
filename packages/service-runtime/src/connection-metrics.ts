import { Counter, Gauge, type Registry } from "prom-client";

/** The connections of a process, as far as their state is exported. */
export interface ProcessConnections {
  database: { pool: () => { open: number; idle: number; waiting: number } };
  redis?: { readonly ready: boolean };
  messaging: {
    readonly connected: boolean;
    /** Events that each durable consumer gave up. */
    readonly givenUp: ReadonlyMap<string, number>;
    onConnectionChange(listener: (connected: boolean) => void): unknown;
  };
}

/**
 * Registers gauges of the process's own connections to PostgreSQL, Redis and NATS, read when they are scraped: a process
 * that is cut off from a server alone shows here, while the server answers everybody else.
 */
export function registerConnections(registry: Registry, { database, redis, messaging }: ProcessConnections): void {
  const registers = [registry];
  new Gauge({
    name: "database_pool_connections",
    help: "Connections to PostgreSQL of this process, by whether one of its statements uses them",
    labelNames: ["state"],
    registers,
    collect() {
      const { open, idle } = database.pool();
      this.set({ state: "used" }, open - idle);
      this.set({ state: "idle" }, idle);
    },
  });
  new Gauge({
    name: "database_pool_waiting",
    help: "Callers that wait for a connection because all of the pool are used",
    registers,
    collect() {
      this.set(database.pool().waiting);
    },
  });
  const connected = (name: string, help: string, read: () => boolean) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read() ? 1 : 0);
      },
    });
  if (redis !== undefined)
    connected("redis_connected", "1 while this process is connected to Redis", () => redis.ready);
  connected("nats_connected", "1 while this process is connected to NATS", () => messaging.connected);
  const reconnects = new Counter({
    name: "nats_reconnects_total",
    help: "Times that a lost connection to NATS was restored",
    registers,
  });
  new Counter({
    name: "events_given_up_total",
    help: "Events that a durable consumer gave up because its handler failed each time",
    labelNames: ["consumer"],
    registers,
    collect() {
      this.reset();
      for (const [consumer, count] of messaging.givenUp) this.inc({ consumer }, count);
    },
  });
  messaging.onConnectionChange((isConnected) => {
    if (isConnected) reconnects.inc();
  });
}
