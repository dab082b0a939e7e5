import { createAccounts } from "@parley/auth";
import { connectDatabase } from "@parley/database";
import { connectMessaging } from "@parley/messaging";
import { connectRedis } from "@parley/redis";
import { createOperationsRouter, startService } from "@parley/service-runtime";
import { configSchema } from "./config.js";
import { dependencyCheckTimeoutMs } from "./limits.js";
import { createDiscordMetrics } from "./metrics.js";
import { createApiConnections } from "./rest/api.js";
import { createRest } from "./rest/handler.js";
import { routes } from "./routes/routes.js";

/** Runs a discord process with the settings of the environment, until the process is asked to stop. */
export async function run(): Promise<void> {
  await startService("discord", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (base) => {
    const { config, logger, metrics, database, redis, own } = base;
    const health = await base.watchHealth({ database: database.ping, redis: redis.ping }, dependencyCheckTimeoutMs);
    const connections = own("api", createApiConnections(config.API_URL.split(",").map((url) => url.trim())));
    const rest = createRest({
      routes,
      connections,
      database,
      logger,
      accounts: createAccounts({ database }),
      publicUrl: config.PUBLIC_URL?.replace(/\/$/, "") ?? null,
      count: createDiscordMetrics(metrics.registry).requests,
    });
    const operations = createOperationsRouter({ health, metrics });
    await base.listen({
      handler: (request, response) => {
        if (!operations(request, response)) rest(request, response);
      },
    });
  });
}
