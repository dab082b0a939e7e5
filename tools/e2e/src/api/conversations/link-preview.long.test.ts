import { errorBody as error } from "@parley/contracts";
import { connectRedis, type RedisConnection } from "@parley/redis";
import { createClient, type RestClient, type UserClient, useMortalStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  askPreview,
  htmlType,
  type PreviewStage,
  previewFor,
  startPreviewStage,
} from "../stages/link-preview-stage.js";

const largeText = "Pages over 1 MB cannot be previewed";

const mortal = useMortalStack();
let stage: PreviewStage;
let client: RestClient;
let ann: UserClient;
let web: PreviewStage["web"];

beforeAll(async () => {
  stage = await startPreviewStage(mortal.stack);
  ({ web } = stage);
  client = createClient(stage.stack.edgeUrl);
  ann = await client.register();
});
afterAll(() => stage?.close());

const preview = (url: string, user: RestClient = ann) => previewFor(url, user);
async function refusal(url: string) {
  const { status, body } = await askPreview(url, ann);
  return [status, body];
}

describe("no preview is made of", () => {
  test("a body of 10 GB, read for hardly more than 1 MB", async () => {
    const chunk = Buffer.alloc(64 * 1024, " ");
    let sent = 0;
    let isClosed = false;
    const url = web.publish((response) => {
      response.writeHead(200, { "Content-Type": htmlType });
      response.once("close", () => {
        isClosed = true;
      });
      const send = () => {
        while (sent < 10 * 1024 ** 3 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", send);
        }
      };
      send();
    });
    expect(await refusal(url)).toEqual([400, error(largeText)]);
    await waitUntil(() => isClosed);
    // As much as the buffers of both sockets take.
    expect(sent).toBeLessThan(32 * 1024 ** 2);
  });
});

describe("what the first request found", () => {
  let connection: RedisConnection;
  beforeAll(async () => {
    connection = await connectRedis({
      url: stage.stack.redis.url,
      name: "test",
      logger: { info: () => {}, warn: () => {} },
    });
  });
  afterAll(() => connection?.close());

  test("what the first request found replaces what expires first when ten thousand are kept", async () => {
    const redis = connection.client;
    const names = Array.from({ length: 10_000 }, (_, n) => `old-${n}`);
    await redis.del("{link-previews}", "{link-previews}:ends");
    await redis.hset("{link-previews}", Object.fromEntries(names.map((name) => [name, "{}"])));
    await redis.zadd("{link-previews}:ends", ...names.flatMap((name, n) => [Date.now() + 3_600_000 + n, name]));
    const url = web.publish("<title>new</title>");
    await preview(url);
    await preview(url);
    expect(web.timesAsked(url)).toBe(1);
    expect([await redis.hlen("{link-previews}"), await redis.zcard("{link-previews}:ends")]).toEqual([10_000, 10_000]);
    expect(await redis.hexists("{link-previews}", "old-0")).toBe(0);
    expect(await redis.hexists("{link-previews}", "old-1")).toBe(1);
  });

  test("what the first request found is found without Redis as well", async () => {
    await mortal.stack.redis.stop();
    try {
      expect((await preview(web.publish("<title>alone</title>"))).title).toBe("alone");
    } finally {
      await mortal.stack.redis.restart();
    }
  });
});
