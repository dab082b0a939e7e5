import { createAccessTokens, createAccounts, createInteractionTokens, jwtSecrets } from "@parley/auth";
import { connectDatabase } from "@parley/database";
import { connectMessaging } from "@parley/messaging";
import { connectRedis } from "@parley/redis";
import { createOperationsRouter, startService } from "@parley/service-runtime";
import { configSchema } from "./config.js";
import { Gateway } from "./gateway/gateway.js";
import { createGuilds } from "./gateway/guilds.js";
import { leaveMs } from "./gateway/limits.js";
import { createLookups } from "./gateway/lookups.js";
import { createMemberRequests } from "./gateway/member-requests.js";
import { createSessionStore } from "./gateway/session-store.js";
import { createTranslate } from "./gateway/translate.js";
import { createGatewayAddresses } from "./gateway/upstream.js";
import { dependencyCheckTimeoutMs } from "./limits.js";
import { createDiscordMetrics } from "./metrics.js";
import { createApiConnections } from "./rest/api.js";
import { createRest } from "./rest/handler.js";
import { createTyping } from "./rest/typing.js";
import { servePage } from "./routes/pages.js";
import { routes } from "./routes/routes.js";

/** Runs a discord process with the settings of the environment, until the process is asked to stop. */
export async function run(): Promise<void> {
  await startService("discord", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (base) => {
    const { config, logger, metrics, database, redis, messaging, own, onStop } = base;
    const health = await base.watchHealth({ database: database.ping, redis: redis.ping }, dependencyCheckTimeoutMs);
    const connections = own("api", createApiConnections(listOf(config.API_URL)));
    const accounts = createAccounts({ database });
    const publicUrl = config.PUBLIC_URL?.replace(/\/$/, "") ?? null;
    const counts = createDiscordMetrics(metrics.registry, { connections: () => gateway.connections });
    const [lookups, guilds] = [createLookups({ database }), createGuilds({ database })];
    const gateway = new Gateway({
      addresses: createGatewayAddresses(listOf(config.GATEWAY_URL)),
      store: createSessionStore({ redis }),
      translate: createTranslate({ lookups, guilds }),
      members: createMemberRequests({ database, lookups }),
      guilds,
      accounts,
      logger,
      publicUrl,
      count: counts.dispatches,
    });
    const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previousSecret } = config;
    const rest = createRest({
      type: createTyping({ database, redis, messaging }),
      tokens: createAccessTokens({ secret, previousSecret }),
      interactionTokens: createInteractionTokens(jwtSecrets(config)),
      routes,
      servePage,
      connections,
      database,
      logger,
      accounts,
      publicUrl,
      count: counts.requests,
    });
    const operations = createOperationsRouter({ health, metrics });
    await base.listen({
      handler: (request, response) => {
        if (!operations(request, response)) rest(request, response);
      },
      onUpgrade: (request, socket, head) => gateway.onUpgrade(request, socket, head),
    });
    // The HTTP server no longer tracks upgraded sockets, so they are closed before it.
    onStop("connections", () => gateway.leave(), { timeoutMs: leaveMs + config.SHUTDOWN_TIMEOUT_MS });
  });
}

const listOf = (urls: string) => urls.split(",").map((url) => url.trim());
