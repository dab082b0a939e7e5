import { createAccessTokens, createAccounts, createReadClaim } from "@parley/auth";
import { connectDatabase } from "@parley/database/prisma";
import { createLookupCounter, createNameResolver } from "@parley/egress";
import { connectMessaging, keepStreams } from "@parley/messaging";
import { checkStore, createOutbox, registerOutboxMetrics } from "@parley/outbox";
import { createPresenceStatuses } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import {
  createHealth,
  createLifecycle,
  createLogger,
  createMetrics,
  loadConfigOrExit,
  registerConnections,
  startHttpServer,
  startMetricsServer,
  startTracing,
} from "@parley/service-runtime";
import { createVoice } from "@parley/voice";
import { createApp } from "./app.js";
import { createAccountDeletion } from "./background-work/account-deletion/finish.js";
import { startJobs } from "./background-work/jobs.js";
import { configSchema } from "./config.js";
import { openStorage } from "./files/storage/open-storage.js";
import { healthRoutes } from "./health/routes.js";
import { createHealthReport, dependencyCheckTimeoutMs } from "./health/service.js";
import { unfinishedConnectionsMax } from "./http/limits.js";
import { messageClasses } from "./http/message-classes.js";
import { UnreadAnswers } from "./http/unread-answers.js";
import { createMailer } from "./mail/send-mail.js";
import { grantAdmins } from "./resources/administration/grant-admins.js";
import { type PasswordCost, setPasswordCost } from "./resources/auth/passwords.js";
import { createLeaveGroups } from "./resources/groups/leave.js";
import { createLinkPreviewService } from "./resources/link-previews/service.js";
import { createLeaveServer } from "./resources/members/leave-server.js";
import { createDeleteServer } from "./resources/servers/delete-server.js";
import { warnOfSharedMailboxes } from "./resources/users/shared-mailboxes.js";
import { createResources } from "./resources.js";
import { version } from "./version.js";

/**
 * Runs an api with the settings of the environment, until the process is asked to stop.
 *
 * @param limits what a hash of a password costs: tests choose little
 */
export async function run({ passwordCost }: { readonly passwordCost?: PasswordCost } = {}): Promise<void> {
  if (passwordCost !== undefined) setPasswordCost(passwordCost);
  const config = loadConfigOrExit(configSchema, process.env);
  const logger = createLogger({ service: "api", level: config.LOG_LEVEL, nodeId: config.NODE_ID });
  const lifecycle = createLifecycle({ logger, stepTimeoutMs: config.SHUTDOWN_TIMEOUT_MS });

  await lifecycle.run(async () => {
    lifecycle.own("traces", await startTracing("api", config));
    const name = `parley-api ${config.NODE_ID}`;
    const metrics = createMetrics({ service: "api", version: config.PARLEY_VERSION });
    const { DATABASE_URL: url, DATABASE_POOL_MAX: poolMax } = config;
    const database = await connectDatabase({ url, poolMax, applicationName: name, logger });
    lifecycle.own("database", database);
    await database.untilMigrated();
    const { PARLEY_ADMINS: usernames, OPERATOR_STARTED_AT: operatorStartedAt } = config;
    await grantAdmins(database, { usernames, operatorStartedAt, logger });
    await warnOfSharedMailboxes({ database, logger });
    const redis = lifecycle.own("redis", await connectRedis({ url: config.REDIS_URL, name, logger }));
    const messaging = lifecycle.own("nats", await connectMessaging({ url: config.NATS_URL, name, logger }));
    registerConnections(metrics.registry, { database, redis, messaging });
    await keepStreams(messaging, { settings: config, logger });
    const outbox = lifecycle.own("outbox", createOutbox({ database, messaging, logger, registry: metrics.registry }));
    registerOutboxMetrics({ registry: metrics.registry, database });
    const storage = lifecycle.own("storage", await openStorage({ config, logger }));
    const { LINK_PREVIEW_ALLOWED_NETWORKS: allowedNetworks } = config;
    const names = createNameResolver({
      knowsLocalNames: allowedNetworks.length > 0,
      onEnd: createLookupCounter(metrics.registry),
    });
    const linkPreviews = createLinkPreviewService({ redis, names, allowedNetworks });
    const mailer = createMailer({ config, logger });
    if (mailer !== null) lifecycle.own("mail", mailer);
    startJobs({ lifecycle, config, database, messaging, outbox, storage, linkPreviews, mailer, metrics, logger });
    const store = lifecycle.own("store check", checkStore({ messaging, registry: metrics.registry }));
    const health = createHealth({
      checks: { database: database.ping, redis: redis.ping, nats: store.check },
      timeoutMs: dependencyCheckTimeoutMs,
      logger,
    });
    lifecycle.own("metrics", await startMetricsServer({ settings: config, health, metrics, logger }));

    const accessTokens = createAccessTokens({ secret: config.JWT_SECRET, previousSecret: config.JWT_SECRET_PREVIOUS });
    const readClaim = createReadClaim({ accessTokens, accounts: createAccounts({ database }) });
    const voice = createVoice({ redis, outbox });
    const presence = createPresenceStatuses({ redis, database, messaging, voice, logger });
    const report = createHealthReport({ database, version, countConnections: presence.connectionCount });
    const leaveServer = createLeaveServer({ outbox, voice, logger });
    const deleteServer = createDeleteServer({ outbox, voice, logger });
    const accountDeletion = createAccountDeletion({
      database,
      leaveServer,
      deleteServer,
      leaveGroups: createLeaveGroups({ database, outbox }),
      logger,
    });
    lifecycle.own("account deletion", accountDeletion);
    const unreadAnswers = new UnreadAnswers(metrics);
    const app = createApp({
      unreadAnswers,
      config,
      logger,
      metrics,
      redis,
      readClaim,
      openRoutes: healthRoutes({ report, health, metrics }),
      routes: createResources({
        start: (name, begin) => lifecycle.own(name, begin()),
        config,
        logger,
        database,
        redis,
        messaging,
        outbox,
        storage,
        accessTokens,
        voice,
        presence,
        leaveServer,
        deleteServer,
        names,
        linkPreviews,
        accountDeletion,
        mailer,
        metrics,
      }),
    });
    const server = await startHttpServer({
      handler: app,
      classes: messageClasses(app, unreadAnswers.wrote),
      host: config.HOST,
      port: config.PORT,
      logger,
      unfinishedConnectionsMax,
    });
    lifecycle.own("http", server);
    lifecycle.own("unread answers", unreadAnswers);
    lifecycle.onStop("readiness", () => health.beginDraining());
    logger.info({ url: server.url }, "api is listening");
  });
}
