import { setFlagsFromString } from "node:v8";
import {
  createAccessTokens,
  createAccounts,
  createClientAddress,
  createFileUrls,
  createInteractionTokens,
  jwtSecrets,
  watchNetworkBans,
} from "@parley/auth";
import { connectDatabase } from "@parley/database";
import { connectMessaging } from "@parley/messaging";
import { createTyping } from "@parley/presence";
import { botBuckets, connectRedis, createMissingRoutes, createTokenBucket } from "@parley/redis";
import { createOperationsRouter, startService } from "@parley/service-runtime";
import { createReadVoiceStates } from "@parley/voice";
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
import { createBotLimit } from "./rest/bot-limit.js";
import { createRest } from "./rest/handler.js";
import { createAnnounceThread, createThreadNames } from "./rest/thread-names.js";
import { createTurns } from "./rest/turns.js";
import { servePage } from "./routes/pages.js";
import { routes } from "./routes/routes.js";

/** Runs a discord process with the settings of the environment, until the process is asked to stop. */
export async function run(): Promise<void> {
  // READY of a bot in 10,000 servers makes much garbage, which stays in the memory of the process until the heap has grown by so much.
  setFlagsFromString("--heap-growing-percent=70");
  await startService("discord", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (base) => {
    const { config, logger, metrics, database, redis, messaging, own, onStop } = base;
    const health = await base.watchHealth({ database: database.ping, redis: redis.ping }, dependencyCheckTimeoutMs);
    const connections = own("api", createApiConnections(listOf(config.API_URL)));
    const accounts = createAccounts({ database });
    const publicUrl = config.PUBLIC_URL?.replace(/\/$/, "") ?? null;
    const counts = createDiscordMetrics(metrics.registry, { connections: () => gateway.connections });
    const urls = createFileUrls({ secret: config.FILE_URL_SECRET, jwtSecret: config.JWT_SECRET });
    const readVoiceStates = createReadVoiceStates({ redis });
    const [lookups, guilds] = [createLookups({ database, urls }), createGuilds({ database, readVoiceStates })];
    const networkBans = own("network bans", await watchNetworkBans({ database, logger }));
    const gateway = new Gateway({
      networkBans,
      clientAddress: createClientAddress(config.TRUST_PROXY),
      addresses: createGatewayAddresses(listOf(config.GATEWAY_URL)),
      store: createSessionStore({ redis }),
      translate: createTranslate({ lookups, guilds }),
      members: createMemberRequests({ database, lookups }),
      guilds,
      accounts,
      logger,
      publicUrl,
      setPresence: ({ bot, forwardedFor }, presence) =>
        connections.of(`Bot ${bot.token}`, forwardedFor).send("PATCH", "/users/@me", presence),
      count: counts.dispatches,
      countRows: counts.rows,
    });
    const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previousSecret, RATE_LIMIT_BOT_RPS: botRps } = config;
    const rest = createRest({
      type: createTyping({ database, redis, messaging }),
      threadNames: createThreadNames({ redis }),
      inTurn: createTurns({ database }),
      announceThread: createAnnounceThread(messaging),
      tokens: createAccessTokens({ secret, previousSecret }),
      interactionTokens: createInteractionTokens(jwtSecrets(config)),
      routes,
      servePage,
      connections,
      database,
      logger,
      accounts,
      publicUrl,
      missing: createMissingRoutes({ redis }),
      limit: createBotLimit(createTokenBucket({ redis, name: botBuckets, ratePerSecond: botRps, burst: botRps })),
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
