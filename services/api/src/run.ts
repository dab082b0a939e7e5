import { createAccessTokens, createAccounts, createReadClaim, watchNetworkBans } from "@parley/auth";
import { connectDatabase } from "@parley/database/prisma";
import { createLookupCounter, createNameResolver } from "@parley/egress";
import { connectMessaging, keepStreams } from "@parley/messaging";
import { checkStore, createOutbox, registerOutboxMetrics } from "@parley/outbox";
import { createPresenceStatuses } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import { startService } from "@parley/service-runtime";
import { createVoice } from "@parley/voice";
import { type PasswordCost, setPasswordCost } from "./accounts/auth/passwords.js";
import { createApp } from "./app/app.js";
import { createFeatures } from "./app/features.js";
import { startJobs } from "./app/jobs.js";
import { configSchema } from "./config.js";
import { grantAdmins } from "./operators/administration/grant-admins.js";
import { healthRoutes } from "./operators/health/routes.js";
import { createHealthReport, dependencyCheckTimeoutMs } from "./operators/health/service.js";
import { readMailFace } from "./operators/instance-settings/repository.js";
import { warnOfSharedMailboxes } from "./people/users/shared-mailboxes.js";
import { createBase } from "./platform/feature.js";
import { openStorage } from "./platform/files/storage/open-storage.js";
import { unfinishedConnectionsMax } from "./platform/http/limits.js";
import { messageClasses } from "./platform/http/message-classes.js";
import { UnreadAnswers } from "./platform/http/unread-answers.js";
import { createMailer } from "./platform/mail/send-mail.js";
import { version } from "./version.js";

/** Limits that tests change; by default the constants of the service and the outbox. */
interface ApiLimits {
  /** Cost of a password's hash. */
  readonly passwordCost?: PasswordCost;
  /** Interval of the check for due rows of jobs. */
  readonly jobsIntervalMs?: number;
  /** Interval of the outbox relay's look. */
  readonly relayIntervalMs?: number;
}

/** Runs an api with the settings of the environment, until the process is asked to stop. */
export async function run({ passwordCost, jobsIntervalMs, relayIntervalMs }: ApiLimits = {}): Promise<void> {
  if (passwordCost !== undefined) setPasswordCost(passwordCost);
  await startService("api", configSchema, { connectDatabase, connectRedis, connectMessaging }, async (service) => {
    const { config, logger, metrics, database, redis, messaging, lifecycle, own } = service;
    const { registry } = metrics;
    const { PARLEY_ADMINS: usernames, OPERATOR_STARTED_AT: operatorStartedAt } = config;
    await grantAdmins(database, { usernames, operatorStartedAt, logger });
    await warnOfSharedMailboxes({ database, logger });
    await keepStreams(messaging, { settings: config, logger });
    const outbox = own("outbox", createOutbox({ database, messaging, logger, registry, relayIntervalMs }));
    registerOutboxMetrics({ registry, database });
    const storage = own("storage", await openStorage({ config, logger }));
    const names = createNameResolver({
      knowsLocalNames: config.LINK_PREVIEW_ALLOWED_NETWORKS.length > 0,
      onEnd: createLookupCounter(registry),
    });
    const mailer = createMailer({ config, logger, readFace: () => readMailFace(database, config.PUBLIC_URL) });
    if (mailer !== null) own("mail", mailer);
    const accessTokens = createAccessTokens({ secret: config.JWT_SECRET, previousSecret: config.JWT_SECRET_PREVIOUS });
    const voice = createVoice({ redis, outbox });
    const presence = createPresenceStatuses({ redis, database, messaging, voice, logger });
    const networkBans = own("network bans", await watchNetworkBans({ database, logger }));
    const connections = { networkBans, database, redis, messaging, outbox, storage, names, mailer };
    const base = createBase({ config, logger, metrics, ...connections, accessTokens, voice, presence });
    const features = createFeatures(base);
    startJobs(features, { lifecycle, database, logger, metrics, intervalMs: jobsIntervalMs });
    const store = own("store check", checkStore({ messaging, registry }));
    const checks = { database: database.ping, redis: redis.ping, nats: store.check };
    const health = await service.watchHealth(checks, dependencyCheckTimeoutMs);

    const readClaim = createReadClaim({ accessTokens, accounts: createAccounts({ database }) });
    const report = createHealthReport({ database, version, countConnections: presence.connectionCount });
    const unreadAnswers = new UnreadAnswers(metrics);
    const app = createApp({
      unreadAnswers,
      config,
      logger,
      metrics,
      redis,
      readClaim,
      networkBans,
      stores: base,
      openRoutes: healthRoutes({ report, health, metrics }),
      routes: features.routes,
    });
    const classes = messageClasses(app, unreadAnswers.wrote);
    await service.listen({ handler: app, classes, unfinishedConnectionsMax });
    own("unread answers", unreadAnswers);
  });
}
