import { Counter, Gauge, type Registry } from "prom-client";

/** Metrics of the discord service. @param connections open ones of bots */
export function createDiscordMetrics(registry: Registry, { connections }: { connections: () => number }) {
  const requests = new Counter({
    name: "parley_discord_requests_total",
    help: "Requests by route of Discord's API and status; path `unknown` for routes that are not served",
    labelNames: ["method", "path", "status"],
    registers: [registry],
  });
  const dispatches = new Counter({
    name: "parley_discord_dispatches_total",
    help: "Dispatches to connections of Discord's gateway, by the name of the event",
    labelNames: ["event"],
    registers: [registry],
  });
  const rows = new Counter({
    name: "parley_discord_rows_total",
    help: "Rows of people and channels that dispatches showed: of the database, or remembered by their session",
    labelNames: ["from"],
    registers: [registry],
  });
  new Gauge({
    name: "parley_discord_connections",
    help: "Connections of Discord's gateway",
    registers: [registry],
    collect() {
      this.set(connections());
    },
  });
  return {
    dispatches: (event: string) => dispatches.inc({ event }),
    rows: (from: "memory" | "database", count: number) => rows.inc({ from }, count),
    requests: (method: string, path: string, status: number) => requests.inc({ method, path, status }),
  };
}
