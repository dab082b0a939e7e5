import { jwtSecrets } from "@parley/auth";
import type { Base, Feature } from "../platform/feature.js";
import { mailUnsubscribeRoutes } from "./mail-unsubscribe/routes.js";
import { createMailUnsubscribe } from "./mail-unsubscribe/service.js";
import { collectMissed, planDaily, sendMails } from "./notification-mails/job.js";
import { createUnsubscribeTokens } from "./notification-mails/unsubscribe-tokens.js";
import { createFollowThread, type FollowThread } from "./notifications/follow-thread.js";
import { missingTargets, uncheckedTargets } from "./notifications/repository.js";
import { notificationRoutes } from "./notifications/routes.js";
import { createNotificationService } from "./notifications/service.js";
import { expiredPushedChannels, expiredPushes, expiredPushSubscriptions } from "./push-subscriptions/repository.js";
import { pushSubscriptionRoutes } from "./push-subscriptions/routes.js";
import { createPushSubscriptions } from "./push-subscriptions/service.js";

/** Notices that reach users who are not looking: settings of notifications, mails about missed messages, devices. */
export function createNotices(base: Base): Feature & { followThread: FollowThread } {
  const { config, database, mailer, metrics } = base;
  const notifications = createNotificationService(base);
  const tokens = createUnsubscribeTokens(jwtSecrets(config));
  return {
    followThread: createFollowThread(base),
    routes: [
      ...notificationRoutes(notifications),
      ...mailUnsubscribeRoutes(createMailUnsubscribe({ database, notifications, tokens })),
      ...pushSubscriptionRoutes(
        createPushSubscriptions({ ...base, allowPlainHttp: config.WEBHOOK_ALLOW_PRIVATE }),
        database,
      ),
    ],
    jobs:
      mailer === null
        ? []
        : [
            planDaily(base),
            collectMissed(base),
            sendMails({ ...base, mailer, registry: metrics.registry, publicUrl: config.PUBLIC_URL }),
          ],
    expiries: [
      uncheckedTargets,
      missingTargets,
      expiredPushes(config.EVENTS_MAX_AGE_MS),
      expiredPushedChannels,
      expiredPushSubscriptions,
    ],
  };
}
