import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { startRedis } from "@parley/testing";
import express from "express";
import { rateLimit } from "express-rate-limit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectRedis, type RedisConnection } from "./connection.js";
import { createTokenBucket } from "./token-bucket.js";
import { createTokenBucketStore } from "./token-bucket-store.js";

const logger = { info: () => {}, warn: () => {} };
let server: Awaited<ReturnType<typeof startRedis>>;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, name: "store", logger });
});
afterAll(async () => {
  await redis.close();
  await server.stop();
});

/** An app whose only route is limited by a bucket of its own name; `complaints` collects the limiter's validations. */
async function limitedApp(name: string, size: { ratePerSecond: number; burst: number }) {
  const complaints: unknown[] = [];
  const store = createTokenBucketStore(createTokenBucket({ redis, name, ...size }));
  const collect = (error: unknown) => void complaints.push(error);
  const app = express();
  app.use(
    rateLimit({
      store,
      limit: store.limit,
      retryAfter: store.retryAfter,
      legacyHeaders: true,
      standardHeaders: false,
      handler: (_request, response) => void response.status(429).json({ error: "Too many requests" }),
      logger: { error: collect, warn: collect },
    }),
  );
  app.get("/", (_request, response) => void response.json({}));
  const listening = app.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address: AddressInfo | string | null = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, complaints, close: () => void listening.close() };
}

const header = (response: Response, name: string) => Number(response.headers.get(`x-ratelimit-${name}`));

describe("express-rate-limit on a token bucket", () => {
  it("sends the bucket's numbers and refuses with 429 and Retry-After when it is empty", async () => {
    const app = await limitedApp("store-headers", { ratePerSecond: 0.5, burst: 3 });
    const responses: Response[] = [];
    for (let n = 0; n < 5; n++) responses.push(await fetch(app.url));
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 429, 429]);
    expect(responses.map((response) => header(response, "remaining"))).toEqual([2, 1, 0, 0, 0]);
    expect(responses.map((response) => header(response, "limit"))).toEqual([3, 3, 3, 3, 3]);
    expect(responses.map((response) => response.headers.get("retry-after"))).toEqual([null, null, null, "2", "2"]);
    const fullIn = responses.map((response) => header(response, "reset") - Date.now() / 1000);
    expect(Math.round(fullIn[0] ?? 0)).toBeLessThanOrEqual(3);
    expect(fullIn[2]).toBeGreaterThan(4);
    expect(fullIn[2]).toBeLessThanOrEqual(7);
    expect(app.complaints).toEqual([]);
    app.close();
  });

  it("lets a client go on at the rate after its burst, not by windows", async () => {
    const app = await limitedApp("store-rate", { ratePerSecond: 20, burst: 2 });
    const startedAt = performance.now();
    let allowed = 0;
    while (allowed < 8) if ((await fetch(app.url)).status === 200) allowed += 1;
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan(0.25);
    expect(seconds).toBeLessThan(3);
    app.close();
  });

  it("does not let two limiters of one request count as one", async () => {
    const complaints: unknown[] = [];
    const collect = (error: unknown) => void complaints.push(error);
    const app = express();
    for (const name of ["store-one", "store-two"]) {
      const store = createTokenBucketStore(createTokenBucket({ redis, name, ratePerSecond: 1, burst: 5 }));
      app.use(rateLimit({ store, limit: store.limit, logger: { error: collect, warn: collect } }));
    }
    app.get("/", (_request, response) => void response.json({}));
    const listening = app.listen(0, "127.0.0.1");
    await once(listening, "listening");
    const address = listening.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    expect((await fetch(`http://127.0.0.1:${address.port}/`)).status).toBe(200);
    expect(complaints).toEqual([]);
    listening.close();
  });
});
