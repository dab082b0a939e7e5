import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { type Edge, findFreePort, readApplication, startEdge } from "@parley/local-stack";
import { runContext } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);
const { root } = runContext();
const { folder: application, headers: promised } = await readApplication(root);

let api: Server;
let nginx: NginxEdge;
let edge: Edge;

beforeAll(async () => {
  api = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://api");
    if (pathname === "/list") {
      response.setHeader("content-type", "application/json; charset=utf-8").setHeader("vary", "Origin");
      response.end(JSON.stringify("x".repeat(Number(searchParams.get("bytes")) - 2)));
      return;
    }
    response.setHeader("content-type", "text/plain");
    response.end(`api: ${request.method} ${request.url}`);
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  const address = api.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  edge = await startEdge({
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: () => [url],
    gateways: () => [],
    application: await readApplication(root),
  });
  if (program !== null) nginx = await startNginx({ program, apis: [url], gateways: [url], application });
});
afterAll(async () => {
  await Promise.all([nginx?.stop(), edge?.close()]);
  api?.closeAllConnections();
  api?.close();
});

const localUrl = () => `http://127.0.0.1:${edge.port}`;

/** Headers whose values depend on the server and not on the answer. */
const serversOwn = [
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "last-modified",
  "server",
  "transfer-encoding",
];

async function ask(url: string, init: RequestInit = {}) {
  const headers = { "accept-encoding": "gzip", ...init.headers };
  const response = await fetch(url, { redirect: "manual", ...init, headers });
  const body = await response.text();
  const answered = new Map([...response.headers].filter(([name]) => !serversOwn.includes(name)));
  // Each server computes its own validators.
  if (answered.has("etag")) answered.set("etag", "present");
  const isRedirect = response.status === 302;
  if (isRedirect) answered.delete("content-type");
  return { status: response.status, headers: Object.fromEntries(answered), body: isRedirect ? "" : body };
}

describe.skipIf(program === null)("nginx and the local edge", () => {
  test.each([
    ["GET", "/"],
    ["HEAD", "/"],
    ["POST", "/"],
    ["GET", "/?x=1"],
    ["GET", "/app"],
    ["POST", "/app"],
    ["GET", "/app/"],
    ["HEAD", "/app/"],
    ["POST", "/app/"],
    ["DELETE", "/app/channels/1"],
    ["GET", "/app/index.html"],
    ["GET", "/app/icon.svg"],
    ["GET", "/app/icon-192.png"],
    ["GET", "/app/manifest.webmanifest"],
    ["GET", "/app/sw.js"],
    ["GET", "/app/servers/1/channels/2?message=3"],
    ["GET", "/app/%C3%A4"],
    ["GET", "/app//x"],
    ["GET", "/app/assets"],
    ["GET", "/app/assets/"],
    ["GET", "/app/assets/none.js"],
    ["POST", "/app/assets/none.js"],
    ["GET", "/apps"],
    ["GET", "/App/"],
    ["GET", "/api/app/"],
    ["GET", "/metrics"],
  ])("give the same answer to %s %s", async (method, path) => {
    const answer = await ask(nginx.url + path, { method });
    expect(answer).toEqual(await ask(localUrl() + path, { method }));
    const body = method === "POST" ? { body: "{}" } : {};
    expect(await ask(nginx.url + path, { method, ...body })).toEqual(answer);
  });

  test("give the same headers with every asset, and nginx its compressed form", async () => {
    const names = await readdir(join(application, "assets"));
    expect(names.filter((name) => name.endsWith(".js.gz"))).not.toEqual([]);
    for (const name of names.filter((name) => !/\.(?:br|gz)$/.test(name))) {
      const answer = await ask(`${nginx.url}/app/assets/${name}`);
      expect(answer).toEqual(await ask(`${localUrl()}/app/assets/${name}`));
      expect(answer.headers).toMatchObject({ "cache-control": "public, max-age=31536000, immutable" });
      expect(answer.headers["content-encoding"]).toBe(names.includes(`${name}.gz`) ? "gzip" : undefined);
    }
  });

  test.each([
    ["GET", 1_024, "br, gzip", "gzip"],
    ["GET", 1_024, "identity", undefined],
    ["GET", 1_023, "gzip", undefined],
    ["HEAD", 1_024, "gzip", "gzip"],
  ])("answer %s for a list of %i bytes to who accepts %s as %s", async (method, bytes, accepted, encoding) => {
    const init = { method, headers: { "accept-encoding": accepted } };
    const answer = await ask(`${nginx.url}/list?bytes=${bytes}`, init);
    expect(answer).toEqual(await ask(`${localUrl()}/list?bytes=${bytes}`, init));
    expect([answer.headers["content-encoding"], answer.body.length]).toEqual([encoding, method === "HEAD" ? 0 : bytes]);
    expect(answer.headers.vary).toBe(bytes < 1_024 ? "Origin" : "Accept-Encoding, Origin");
  });

  test("send the page once to a browser that has it", async () => {
    for (const url of [nginx.url, localUrl()]) {
      const first = await fetch(`${url}/app/`);
      const headers = { "if-none-match": first.headers.get("etag") ?? "", "cache-control": "max-age=0" };
      const again = await fetch(`${url}/app/`, { headers });
      expect([first.status, again.status]).toEqual([200, 304]);
      expect(again.headers.get("cache-control")).toBe("no-cache");
      for (const [name, value] of Object.entries(promised)) expect(again.headers.get(name), name).toBe(value);
    }
  });
});

describe("the page that was built", () => {
  test("the page that was built has no script in itself and takes everything from assets that are there", async () => {
    const page = await readFile(join(application, "index.html"), "utf8");
    const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes = "", content] of scripts) {
      expect(attributes).toMatch(/ src="\/app\/assets\/[^"]+-[\w-]{8}\.js"/);
      expect(content).toBe("");
    }
    expect(page).not.toMatch(/\son\w+=|javascript:|<base|https?:\/\//i);
    const addresses = [...page.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    for (const address of addresses) {
      const answer = await ask(localUrl() + address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers["content-type"], address).not.toContain("text/html");
    }
  });
});
