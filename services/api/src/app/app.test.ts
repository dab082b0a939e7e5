import { slackPayload } from "@parley/archives";
import { createAccessTokens, createAccounts, createReadClaim, watchNetworkBans } from "@parley/auth";
import { clientOps } from "@parley/contracts";
import { connectDatabase } from "@parley/database/prisma";
import { createNameResolver } from "@parley/egress";
import { connectMessaging } from "@parley/messaging";
import { createOutbox } from "@parley/outbox";
import { createPresenceStatuses } from "@parley/presence";
import { connectRedis } from "@parley/redis";
import { createHealth, createLogger, createMetrics, loadConfig } from "@parley/service-runtime";
import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import { createVoice } from "@parley/voice";
import type { Express } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { githubEvents } from "../apps/hooks/convert/github-events.js";
import { hookBody } from "../apps/hooks/schema.js";
import { configSchema } from "../config.js";
import { messageFormPayload } from "../conversations/messages/schema.js";
import { gatewayDescriptionRoutes } from "../operators/docs/gateway.js";
import { descriptionRoute } from "../operators/docs/rest.js";
import { healthRoutes } from "../operators/health/routes.js";
import { createHealthReport } from "../operators/health/service.js";
import { createBase } from "../platform/feature.js";
import { openStorage } from "../platform/files/storage/open-storage.js";
import { describeApi } from "../platform/http/openapi.js";
import type { Route } from "../platform/http/route.js";
import { walkSchema } from "../platform/http/unbounded-parts-fixture.js";
import { UnreadAnswers } from "../platform/http/unread-answers.js";
import { createApp } from "./app.js";
import { createFeatures } from "./features.js";

const undo: (() => Promise<unknown>)[] = [];
let app: Express;
let openRoutes: Route[];
let routes: readonly Route[];

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  undo.push(() => testDatabase.drop());
  const [redisServer, natsServer] = await Promise.all([startRedis(), startNats()]);
  undo.push(
    () => redisServer.stop(),
    () => natsServer.stop(),
  );
  const config = loadConfig(configSchema, {
    DATABASE_URL: testDatabase.url,
    REDIS_URL: redisServer.url,
    NATS_URL: natsServer.url,
    JWT_SECRET: "x".repeat(32),
    UPLOAD_DIR: "/tmp",
  });
  const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
  const database = await connectDatabase({ url: testDatabase.url, poolMax: 1, applicationName: "test", logger });
  undo.push(() => database.close());
  const redis = await connectRedis({ url: config.REDIS_URL, name: "test", logger });
  undo.push(async () => redis.close());
  const messaging = await connectMessaging({ url: config.NATS_URL, name: "test", logger });
  undo.push(() => messaging.close());
  const outbox = createOutbox({ database, messaging, logger });
  undo.push(() => outbox.close());
  const storage = await openStorage({ config, logger });
  const voice = createVoice({ redis, outbox });
  const presence = createPresenceStatuses({ redis, database, messaging, voice, logger });
  const accessTokens = createAccessTokens({ secret: config.JWT_SECRET });
  const metrics = createMetrics();
  const health = createHealth({ checks: {}, timeoutMs: 100, logger });
  const report = createHealthReport({ database, version: "0", countConnections: presence.connectionCount });
  openRoutes = healthRoutes({ report, health, metrics });
  const names = createNameResolver({ knowsLocalNames: false });
  const networkBans = await watchNetworkBans({ database, logger });
  undo.push(() => networkBans.close());
  const connections = { networkBans, database, redis, messaging, outbox, storage, names, mailer: null };
  const base = createBase({ config, logger, metrics, ...connections, accessTokens, voice, presence });
  routes = createFeatures(base).routes;
  const readClaim = createReadClaim({ accessTokens, accounts: createAccounts({ database }) });
  const unreadAnswers = new UnreadAnswers(metrics);
  undo.push(async () => unreadAnswers.close());
  app = createApp({
    networkBans,
    unreadAnswers,
    config,
    logger,
    metrics,
    redis,
    readClaim,
    stores: base,
    openRoutes,
    routes,
  });
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const Layer = z.object({
  route: z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) }).optional(),
  handle: z.custom<{ stack?: unknown[] }>(),
});

/** Endpoints that a router and the routers in it answer. */
function walk(stack: readonly unknown[]): string[] {
  return stack.flatMap((layer) => {
    const { route, handle } = Layer.parse(layer);
    if (route !== undefined) return Object.keys(route.methods).map((method) => nameOf(method, route.path));
    return handle.stack === undefined ? [] : walk(handle.stack);
  });
}

/** The names of parameters do not count. */
const nameOf = (method: string, path: string) => `${method} ${path.replace(/:\w+|\{\w+\}/g, "{}")}`;

test("the app has no endpoint that its description leaves out, and none less", () => {
  const description = descriptionRoute();
  const limited = [...routes, description, ...gatewayDescriptionRoutes()];
  const { paths = {} } = describeApi({ openRoutes, routes: limited }, "0");
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => nameOf(method, path)),
  );
  const pages = ["/docs", "/docs/rest", "/docs/bots", "/docs/client", "/docs/interface", "/docs/protocol"];
  const topics = ["/docs/protocol/:topic", "/docs/reference/:topic"];
  const undescribed = [...pages, ...pages.map((page) => `${page}/`), ...topics, "/docs/parley-client.tgz"].map((path) =>
    nameOf("get", path),
  );
  const mounted = walk(app.router.stack).filter((endpoint) => !undescribed.includes(endpoint));
  expect(mounted.toSorted()).toEqual(described.toSorted());
  expect(new Set(mounted).size).toBe(mounted.length);
});

test("no two endpoints have the same operation id", () => {
  const { paths = {} } = describeApi({ openRoutes, routes }, "0");
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every password, code, token and signature in the input of an endpoint says why it is not found by trying", () => {
  const isSecret = (name: string) =>
    /(^|_)(password|passphrase|passkey|response|code|pin|otp|token|secret|key|signature|sig)$/.test(name);
  const inputOf = ({ declaration: { params, query, body } }: Route) =>
    [params, query, body].flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
  const endpoints = [...openRoutes, ...routes].map((route) => ({
    endpoint: nameOf(route.declaration.method, route.declaration.path),
    secrets: inputOf(route).filter(isSecret).toSorted(),
    declared: Object.keys(route.declaration.attempts ?? {}).toSorted(),
  }));
  expect(endpoints.filter(({ secrets }) => secrets.length > 0).length).toBeGreaterThan(9);
  for (const { endpoint, secrets, declared } of endpoints) expect([endpoint, declared]).toEqual([endpoint, secrets]);
});

test("every list and map that a stranger sends is measured before its entries, and the first faulty entry ends the check", () => {
  const ownReaders = [...openRoutes, ...routes]
    .filter(({ declaration: { bodyContentType, form } }) => bodyContentType !== undefined || form !== undefined)
    .map(({ declaration: { method, path } }) => nameOf(method, path));
  // The schemas of these routes' own readers are among the ones below, or have no lists: a file, a logout token.
  expect(ownReaders.toSorted()).toEqual([
    "post /admin/imports",
    "post /auth/oidc/back-channel-logout",
    "post /bots/{}/avatar",
    "post /channels/{}/messages",
    "post /channels/{}/messages/{}/thread",
    "post /dm-channels/{}/icon",
    "post /dm-channels/{}/messages",
    "post /dm-messages/{}/attachments",
    "post /hooks/{}/{}",
    "post /hooks/{}/{}/github",
    "post /hooks/{}/{}/slack",
    "post /messages/{}/attachments",
    "post /servers/{}/banner",
    "post /servers/{}/emojis",
    "post /servers/{}/icon",
    "post /users/@me/avatar",
    "put /admin/imports/{}/parts/{}",
    "put /admin/settings/logo",
  ]);
  const schemas: [name: string, schema: z.core.$ZodType][] = [
    ...[...openRoutes, ...routes].flatMap(({ declaration: { method, path, params, query, body, bodyContentType } }) =>
      [params, query, bodyContentType === undefined ? body : undefined].flatMap((schema): [string, z.ZodType][] =>
        schema === undefined ? [] : [[nameOf(method, path), schema]],
      ),
    ),
    ["post of a hook", hookBody],
    ["post of Slack", slackPayload],
    ["form of a message", messageFormPayload([])],
    ...Object.entries(githubEvents),
    ...Object.entries(clientOps),
  ];
  const walked = schemas.map(([name, schema]) => ({ name, ...walkSchema(schema) }));
  expect(walked.filter(({ unbounded }) => unbounded.length > 0)).toEqual([]);
  expect(walked.reduce((sum, { bounded }) => sum + bounded.length, 0)).toBeGreaterThan(40);
});
