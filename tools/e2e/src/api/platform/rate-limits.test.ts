import { randomBytes, randomUUID } from "node:crypto";
import { errorBody } from "@parley/contracts";
import { createChannel, createClient, createServer, startStack, type TestStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pngPixel } from "../stages/sample-files.js";
import { attachOne } from "../stages/upload-stage.js";

let stack: TestStack;

// The limits of the contract, except for one refill a second so that a slow machine cannot refill during a burst.
beforeAll(async () => {
  // Its own: a limit is reached with few requests.
  stack = await startStack({
    apis: 2,
    gateways: 0,
    env: {
      RATE_LIMIT_REST_RPS: "1",
      RATE_LIMIT_REST_BURST: "20",
      RATE_LIMIT_AUTH_RPS: "1",
      RATE_LIMIT_AUTH_BURST: "5",
      TRUST_PROXY: "127.0.0.1/32",
    },
  });
});
afterAll(() => stack?.stop());

/** A client behind a proxy that the api trusts; every test comes from an address of its own. */
function from(address: string) {
  const [first, second] = stack.apis;
  const clients = [createClient(first?.url ?? ""), createClient(second?.url ?? "")];
  return (method: string, path: string, index: number) =>
    clients[index % 2]?.send(method, path, { headers: { "x-forwarded-for": address } }) ?? Promise.reject();
}
const someAddress = () => `198.51.100.${(randomBytes(1)[0] ?? 0) % 250}`;

describe("limits per address, shared by two api processes", () => {
  test("let a burst of 20 requests through, then answer 429 with Retry-After", async () => {
    const send = from("203.0.113.7");
    const begun = Math.floor(Date.now() / 1000);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send("GET", "/servers", index)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(20);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual(errorBody("Too many requests"));
    expect(refused?.headers.get("retry-after")).toBe("1");
    for (const { headers } of answers) {
      expect(headers.get("x-ratelimit-limit")).toBe("20");
      expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(20);
      expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThanOrEqual(begun);
    }
    expect(refused?.headers.get("x-ratelimit-remaining")).toBe("0");
  });

  test("paths under /auth/ have a bucket of their own, with and without the prefix", async () => {
    const send = from("203.0.113.8");
    const answers = [];
    for (let index = 0; index < 12; index += 1) {
      answers.push(await send("POST", index % 2 ? "/auth/login" : "/api/auth/refresh", index));
    }
    expect(answers[0]?.headers.get("x-ratelimit-limit")).toBe("5");
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(5);
    expect(answers.at(-1)?.status).toBe(429);
    expect((await send("GET", "/servers", 0)).headers.get("x-ratelimit-remaining")).toBe("19");
  });

  test("health, preflights and metrics are not limited", async () => {
    const send = from("203.0.113.9");
    for (let index = 0; index < 30; index += 1) {
      const answer = await send(index % 2 ? "GET" : "OPTIONS", "/health/live", index);
      expect([200, 204]).toContain(answer.status);
      expect(answer.headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  test("the descriptions and their pages count, though they need no credentials", async () => {
    const descriptions = ["/docs/openapi.yaml", "/docs/asyncapi.yaml", "/docs/gateway"];
    const written = ["/docs/bots", "/docs/client", "/docs/protocol/messages"];
    const pages = ["/docs", "/docs/rest", ...written, "/docs/parley-client.tgz"];
    const assets = ["/docs/assets/start.js", "/docs/assets/swagger-ui.css"];
    for (const [n, path] of [...descriptions, ...pages, ...assets].entries()) {
      const { status, headers } = await from(`203.0.113.${100 + n}`)("GET", path, n);
      expect([path, status, headers.get("x-ratelimit-remaining")]).toEqual([path, 200, "19"]);
    }
  });

  test("an unknown path counts, so that probing is limited too", async () => {
    const send = from(someAddress());
    expect((await send("GET", "/nothing", 0)).headers.get("x-ratelimit-remaining")).toBe("19");
  });
});

describe("the limit of an address", () => {
  test("the limit of an address counts its requests together, whichever port the proxy writes behind it", async () => {
    for (const address of ["203.0.113.50", "[2001:db8:50::1]"]) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => from(`${address}:${40_000 + n}`)("GET", "/servers", n)),
      );
      const remaining = answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
      expect(Math.min(...remaining)).toBeLessThan(19);
    }
  });

  test("the limit of an address does not count requests for the image of a custom emoji", async () => {
    const send = from("203.0.113.30");
    for (let index = 0; index < 30; index += 1) {
      const answer = await send("GET", `/emojis/${randomUUID()}`, index);
      expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([404, null]);
    }
  });

  test("the limit of an address does not count requests for a file at its signed address, but counts those with a wrong signature", async () => {
    const send = from("203.0.113.31");
    const owner = await createClient(stack.apis[0]?.url ?? "").register();
    const { id } = await createChannel(owner, (await createServer(owner)).id);
    const { url } = await attachOne(owner, id, { name: "pixel.png", bytes: pngPixel });
    for (let index = 0; index < 30; index += 1) {
      const answer = await send(index % 3 === 0 ? "HEAD" : "GET", index % 2 === 0 ? url : `/api${url}`, index);
      expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, null]);
    }
    const altered = url.replace(/sig=./, "sig=x");
    const answer = await send("GET", altered, 0);
    expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([401, "19"]);
    await waitUntil(async () => (await send("GET", altered, 1)).status === 429);
    expect((await send("GET", url, 1)).status).toBe(200);
  });
});

describe("the client's address", () => {
  test("the client's address is the right-most untrusted entry of X-Forwarded-For", async () => {
    const send = (chain: string) =>
      createClient(stack.apis[0]?.url ?? "").send("GET", "/servers", { headers: { "x-forwarded-for": chain } });
    const remaining = async (chain: string) => Number((await send(chain)).headers.get("x-ratelimit-remaining"));
    // So many that a slow machine cannot refill the bucket before the others are sent.
    await Promise.all(Array.from({ length: 12 }, () => send("203.0.113.20")));
    expect(await remaining("10.9.9.9, 203.0.113.20")).toBeLessThan(19);
    expect(await remaining("203.0.113.20, 127.0.0.1")).toBeLessThan(19);
    expect(await remaining("203.0.113.20, 203.0.113.21")).toBe(19);
  });
});
