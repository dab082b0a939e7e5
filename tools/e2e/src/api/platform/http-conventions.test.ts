import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { errorBody as error } from "@parley/contracts";
import {
  createClient,
  createServer,
  type RestClient,
  startStack,
  type TestStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let stack: TestStack;
let client: RestClient;
let ann: UserClient;

beforeAll(async () => {
  // Its own: it is in production, and lets other origins in.
  stack = await startStack({
    gateways: 0,
    env: { APP_ENV: "production", ALLOWED_ORIGINS: "https://chat.example,https://other.example" },
  });
  client = createClient(stack.edgeUrl);
  ann = await client.register();
});
afterAll(() => stack?.stop());

describe("paths", () => {
  test.each([
    ["GET", "/nothing"],
    ["GET", "/api/nothing"],
    ["GET", "/api/api/servers"],
    ["GET", "/Servers"],
    ["PUT", "/servers"],
    ["PUT", "/users/@me"],
    ["GET", "/auth/login"],
    ["POST", "/api"],
  ])("the path %s %s is not found, without asking for credentials", async (method, path) => {
    const answer = await client.send(method, path);
    expect([answer.status, answer.body]).toEqual([404, error("Not found")]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test("both prefixes and a trailing slash name the same endpoint", async () => {
    const server = await createServer(ann);
    for (const path of ["/servers", "/api/servers", "/servers/", "/api/servers/"]) {
      const answer = await ann.get(path);
      expect([answer.status, answer.body]).toEqual([200, [expect.objectContaining({ id: server.id })]]);
    }
  });

  test("a malformed identifier or encoding is refused before anything is looked up", async () => {
    for (const path of ["/servers/1", `/channels/${randomUUID()}x/messages`, "/users/%00", "/users/%ff", "/users/%"]) {
      const answer = await ann.get(path);
      expect([path, answer.status, answer.body]).toEqual([path, 400, error("Invalid identifier")]);
    }
  });
});

describe("bodies", () => {
  test("malformed JSON, a wrong JSON type and an oversized body are 400", async () => {
    const headers = { "content-type": "application/json" };
    const cases: [string, string][] = [
      ["{", "Malformed JSON"],
      ["[]", "Request body must be a JSON object"],
      ['"text"', "Request body must be a JSON object"],
      ["null", "Request body must be a JSON object"],
      [JSON.stringify({ name: "x".repeat(256 * 1024) }), "Request body must be at most 256 KB"],
    ];
    for (const [body, text] of cases) {
      const answer = await ann.send("POST", "/servers", { body, headers });
      expect([answer.status, answer.body]).toEqual([400, error(text)]);
    }
  });

  test("an empty JSON body counts as an empty object", async () => {
    const answer = await ann.send("POST", "/servers", { headers: { "content-type": "application/json" } });
    expect([answer.status, answer.body]).toEqual([400, error("Server name must be 1-100 characters")]);
  });

  test("credentials are checked before the body", async () => {
    const answer = await client.send("POST", "/servers", {
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
  });
});

describe("headers", () => {
  test("every answer carries the security headers and a request id", async () => {
    for (const path of ["/health/live", "/servers", "/nothing"]) {
      const { headers } = await client.get(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
    const echoed = await client.send("GET", "/health/live", { headers: { "x-request-id": "trace-1" } });
    expect(echoed.headers.get("x-request-id")).toBe("trace-1");
  });

  test("CORS answers allowed origins only, without credentials", async () => {
    const preflight = await client.send("OPTIONS", "/api/servers", {
      headers: { origin: "https://chat.example", "access-control-request-method": "PUT" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://chat.example");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET,POST,PUT,PATCH,DELETE,OPTIONS");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("Authorization,Content-Type");
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    const exposed = await ann.send("GET", "/servers", { headers: { origin: "https://other.example" } });
    expect(exposed.headers.get("access-control-expose-headers")).toContain("X-RateLimit-Limit");
    const foreign = await ann.send("GET", "/servers", { headers: { origin: "https://evil.example" } });
    expect(foreign.headers.get("access-control-allow-origin")).not.toBe("https://evil.example");
    expect(foreign.headers.get("access-control-allow-origin")).not.toBe("*");
  });
});

describe("health endpoints", () => {
  test("GET /health reports the service, its database and the open connections", async () => {
    const answer = await client.get("/api/health");
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: "ok",
        service: "parley",
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        uptime_secs: expect.any(Number),
        database: { status: "ok", latency_ms: expect.any(Number) },
        connections: { websocket: 0 },
      },
    ]);
  });

  test("readiness names each dependency, liveness none", async () => {
    expect((await client.get("/health/ready")).body).toEqual({
      ready: true,
      checks: { database: { ok: true }, redis: { ok: true }, nats: { ok: true } },
    });
    expect((await client.get("/health/live")).body).toEqual({ alive: true });
  });

  test("metrics answer a direct loopback peer only", async () => {
    const [api] = stack.apis;
    const direct = createClient(api?.url ?? "");
    const answer = await direct.get("/metrics");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.body).toMatch(/http_requests_total\{method="POST",path="\/auth\/register",status="201"\} \d+/);
    expect(answer.body).toMatch(/http_request_duration_seconds_bucket\{le="0\.001"/);
    const forwarded = await direct.send("GET", "/metrics", { headers: { "x-forwarded-for": "127.0.0.1" } });
    expect([forwarded.status, forwarded.body]).toEqual([404, error("Not found")]);
    expect((await client.get("/metrics")).status).toBe(404);
    expect((await client.get("/api/metrics")).status).toBe(404);
  });
});

describe("the API description", () => {
  test("the API description is public OpenAPI 3.0 in YAML, with a page for people beside it", async () => {
    const answer = await client.get("/api/docs/openapi.yaml");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/yaml/);
    expect(answer.body).toMatch(/^openapi: 3\.0\.\d/);
    const page = await client.get("/docs");
    expect(page.status).toBe(200);
    expect(page.body).toContain('href="docs/openapi.yaml"');
  });
});

test("bytes that are no HTTP get a 400 and no stack trace", async () => {
  const port = Number(new URL(stack.apis[0]?.url ?? "").port);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GARBAGE\r\n\r\n"));
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toMatch(/at |node:/);
});
