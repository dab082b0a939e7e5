import type { NetworkBans, ReadClaim } from "@parley/auth";
import type { RedisConnection } from "@parley/redis";
import type { Logger, Metrics } from "@parley/service-runtime";
import express, { type Express } from "express";
import type { Config } from "../config.js";
import { gatewayDescriptionRoutes } from "../operators/docs/gateway.js";
import { documentationPages } from "../operators/docs/pages.js";
import { descriptionRoute } from "../operators/docs/rest.js";
import { createAdmit } from "../platform/http/admission.js";
import { plainForwardedAddresses } from "../platform/http/client-address.js";
import { answerError, answerNotFound } from "../platform/http/error-mapping.js";
import { inOrder } from "../platform/http/in-order.js";
import type { Stores } from "../platform/http/may.js";
import { requestMetrics } from "../platform/http/metrics.js";
import { createRateLimits } from "../platform/http/rate-limits.js";
import { requestId } from "../platform/http/request-id.js";
import { normalisePath, stripPrefix } from "../platform/http/request-path.js";
import type { Route } from "../platform/http/route.js";
import { createRouter } from "../platform/http/routing.js";
import { crossOrigin, securityHeaders } from "../platform/http/security-headers.js";
import type { UnreadAnswers } from "../platform/http/unread-answers.js";

/** The parts of the HTTP surface. */
export interface AppOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  redis: RedisConnection;
  readClaim: ReadClaim;
  networkBans: Pick<NetworkBans, "isBanned">;
  unreadAnswers: UnreadAnswers;
  stores: Stores;
  /** Routes without credentials and limits: health and metrics. */
  openRoutes: readonly Route[];
  /** Everything else but the descriptions. */
  routes: readonly Route[];
}

/** The HTTP app: middlewares in the order of checks of docs/protocol/requests.md#1.4, then the resources. */
export function createApp(options: AppOptions): Express {
  const { config, logger, metrics, redis, readClaim, networkBans, unreadAnswers, stores, openRoutes } = options;
  const describe = () => ({ openRoutes, routes });
  const description = descriptionRoute();
  const routes = [...options.routes, description, ...gatewayDescriptionRoutes()];
  const sizes = {
    rest: { ratePerSecond: config.RATE_LIMIT_REST_RPS, burst: config.RATE_LIMIT_REST_BURST },
    auth: { ratePerSecond: config.RATE_LIMIT_AUTH_RPS, burst: config.RATE_LIMIT_AUTH_BURST },
    bot: { ratePerSecond: config.RATE_LIMIT_BOT_RPS, burst: config.RATE_LIMIT_BOT_RPS },
    botAddress: { ratePerSecond: config.RATE_LIMIT_BOT_ADDRESS_RPS, burst: config.RATE_LIMIT_BOT_ADDRESS_RPS },
  };
  const admit = createAdmit({ readClaim, networkBans, limits: createRateLimits({ redis, sizes }) });
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.set("trust proxy", config.TRUST_PROXY);
  app.use(
    inOrder(
      plainForwardedAddresses(),
      requestId(logger, unreadAnswers),
      requestMetrics(metrics),
      securityHeaders(),
      crossOrigin({ origins: config.ALLOWED_ORIGINS, anyOrigin: config.APP_ENV === "development" }),
      normalisePath,
      stripPrefix,
      createRouter(openRoutes),
      createRouter(routes, admit, stores),
    ),
  );
  // Probing for paths is limited as well, and so are the pages.
  app.use((request, response, next) => {
    admit(request, response, { isUnlimited: false, confirmsSession: false, isEntrance: false }).then(
      (isAdmitted) => (isAdmitted ? next() : undefined),
      next,
    );
  });
  app.use(documentationPages({ describe, limits: sizes }));
  app.use(answerNotFound);
  app.use(answerError);
  return app;
}
