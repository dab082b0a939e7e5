import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { errorBody } from "@parley/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreePort } from "../ports.js";
import { readApplication } from "./application.js";
import { type Edge, startEdge } from "./edge.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const page = "<!doctype html><title>Parley</title>";
const script = "export const answer = 42;";

let folder: string;
let edge: Edge;
let api: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-application-"));
  const dist = join(folder, "dist");
  await mkdir(join(dist, "assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "secret");
  await writeFile(join(dist, "index.html"), page);
  await writeFile(join(dist, "icon.svg"), "<svg/>");
  await symlink(join(folder, "secret.txt"), join(dist, "link.txt"));
  await symlink(folder, join(dist, "assets", "out"));
  for (const [name, bytes] of [
    ["", script],
    [".br", brotliCompressSync(script)],
    [".gz", gzipSync(script)],
  ] as const)
    await writeFile(join(dist, "assets", `main-1a2b.js${name}`), bytes);
  await writeFile(join(dist, "assets", "only-1a2b.css"), "a{}");
  await writeFile(join(dist, "assets", "only-1a2b.css.gz"), gzipSync("a{}"));

  api = createServer((request, response) => {
    response.statusCode = 404;
    response.end(`api: ${request.method} ${request.url}`);
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  const address = api.address();
  const apiUrl = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  edge = await startEdge({
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: () => [apiUrl],
    gateways: () => [],
    application: { ...(await readApplication(root)), folder: dist },
  });
});
afterAll(async () => {
  await edge?.close();
  api?.closeAllConnections();
  api?.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${edge.port}${path}`, { redirect: "manual", ...init });

/** Writes the address as it is, which fetch would tidy up. */
async function askRaw(path: string): Promise<string> {
  const socket = connect(edge.port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

/** Asks as a browser that has the page; fetch adds that it wants no cached answer. */
async function askAgain(path: string, etag: string): Promise<IncomingMessage> {
  const request = httpRequest(`http://127.0.0.1:${edge.port}${path}`, { headers: { "if-none-match": etag } }).end();
  const [response] = await once(request, "response");
  return response;
}

test("the headers are those of nginx, with a policy that lets no script but the application's own run", async () => {
  const { headers } = await readApplication(root);
  const policy = Object.fromEntries(
    (headers["Content-Security-Policy"] ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
  expect(policy).toMatchObject({
    "default-src": "'self'",
    "script-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  });
  expect(headers).toMatchObject({
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Permissions-Policy": expect.stringContaining("microphone=(self), camera=(self), display-capture=(self)"),
  });
});

describe("the application", () => {
  test.each(["/", "/app", "/?x=1", "/app?x=1"])("the application is where %s leads, for now", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(path, { method });
      expect([response.status, response.headers.get("location")]).toEqual([302, "/app/"]);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test.each([
    "/app/",
    "/app/index.html",
    "/app/channels/0b1c?message=2",
    "/app/a.b/c.js",
    "/app/assets",
    "/app/%C3%A4",
  ])("the application is one page, whatever place in it %s is", async (path) => {
    const response = await ask(path);
    expect([response.status, await response.text()]).toEqual([200, page]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    const etag = response.headers.get("etag") ?? "";
    const { headers } = await readApplication(root);
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name), name).toBe(value);
    const again = await askAgain(path, etag);
    expect([again.statusCode, await text(again)]).toEqual([304, ""]);
    expect(again.headers).toMatchObject({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    const head = await ask(path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(page.length),
      "",
    ]);
  });

  test("the application has files beside the page that are asked for again, and assets that never change", async () => {
    const icon = await ask("/app/icon.svg");
    expect([icon.headers.get("content-type"), icon.headers.get("cache-control")]).toEqual([
      "image/svg+xml",
      "no-cache",
    ]);
    const asset = await ask("/app/assets/main-1a2b.js");
    expect([asset.headers.get("content-type"), asset.headers.get("cache-control")]).toEqual([
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
  });

  test.each([
    ["br, gzip", "main-1a2b.js", "br"],
    ["gzip, deflate, br, zstd", "main-1a2b.js", "br"],
    ["gzip", "main-1a2b.js", "gzip"],
    ["br;q=0, gzip", "main-1a2b.js", "gzip"],
    ["*", "main-1a2b.js", "br"],
    ["identity", "main-1a2b.js", null],
    ["br, gzip", "only-1a2b.css", "gzip"],
    ["br", "only-1a2b.css", null],
  ])("the application is sent to who accepts %j in %s as %s", async (accepted, name, encoding) => {
    const response = await ask(`/app/assets/${name}`, { headers: { "accept-encoding": accepted } });
    expect([response.status, await response.text()]).toEqual([200, name.endsWith(".js") ? script : "a{}"]);
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(response.headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
  });

  test.each(["/app/assets/main-0000.js", "/app/assets/", "/app/assets/out/secret.txt", "/app/assets/main-1a2b.js/"])(
    "the application has no asset %s",
    async (path) => {
      const response = await ask(path);
      expect([response.status, await response.json()]).toEqual([404, errorBody("Not found")]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("answers %s as every unknown path", async (method) => {
    for (const path of ["/app", "/app/", "/app/assets/main-1a2b.js"]) {
      const response = await ask(path, { method });
      expect([response.status, await response.json()]).toEqual([404, errorBody("Not found")]);
    }
    expect(await (await ask("/", { method })).text()).toBe(`api: ${method} /`);
  });

  test.each(["/apps", "/App/", "/api/app/", "/index.html", "/assets/main-1a2b.js", "/servers"])(
    "the application leaves %s to the apis",
    async (path) => {
      expect(await (await ask(path)).text()).toBe(`api: GET ${path}`);
    },
  );

  test.each([
    "/app/../secret.txt",
    "/app/%2e%2e/secret.txt",
    "/app/..%2fsecret.txt",
    "/app/assets/%2e%2e/%2e%2e/secret.txt",
    "/app/%00",
    "/app/index.html%00.js",
    "/app/%zz",
    "/app/link.txt",
    "/app//../secret.txt",
    "/app/%252e%252e/secret.txt",
    "/app/..%5csecret.txt",
  ])("shows no other file of the machine at %s", async (path) => {
    const answer = await askRaw(path);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|404) /);
    expect(answer).not.toMatch(/\r\n\r\nsecret/);
    if (answer.startsWith("HTTP/1.1 200 ")) expect(answer).toContain(page);
  });

  test.each(["bytes=0-5", "bytes=5-2", "bytes=900-"])(
    "the application is sent whole, also to who asks for %s",
    async (range) => {
      const response = await ask("/app/", { headers: { range } });
      expect([response.status, await response.text()]).toEqual([200, page]);
    },
  );

  test("the application is another one after the next build, without a restart", async () => {
    const dist = join(folder, "dist");
    await writeFile(join(dist, "assets", "next-3c4d.js"), "next");
    expect(await (await ask("/app/assets/next-3c4d.js")).text()).toBe("next");
    await rm(join(dist, "assets", "next-3c4d.js"));
    expect((await ask("/app/assets/next-3c4d.js")).status).toBe(404);
  });
});
