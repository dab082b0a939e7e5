import { Counter, type Registry } from "prom-client";

/** Metrics of the discord service. */
export function createDiscordMetrics(registry: Registry) {
  const requests = new Counter({
    name: "parley_discord_requests_total",
    help: "Requests by route of Discord's API and status; path `unknown` for routes that are not served",
    labelNames: ["method", "path", "status"],
    registers: [registry],
  });
  return {
    requests: (method: string, path: string, status: number) => requests.inc({ method, path, status }),
  };
}
