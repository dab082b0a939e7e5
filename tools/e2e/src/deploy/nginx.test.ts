import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { get } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { Attachment } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServer as createCommunity,
  postMessage,
  startStack,
  type TestStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);
const json = "application/json; charset=utf-8";
const upload = "/api/messages/00000000-0000-4000-8000-000000000000/attachments";
const error = (text: string) => ({ error: text, message: text });

describe.skipIf(program === null)("nginx in front of the services", () => {
  let stack: TestStack;
  let nginx: NginxEdge;

  beforeAll(async () => {
    stack = await startStack({ apis: 2, gateways: 2 });
    const urls = (services: TestStack["apis"]) => services.map(({ url }) => url);
    nginx = await startNginx({ program: program ?? "", apis: urls(stack.apis), gateways: urls(stack.gateways) });
  });
  afterAll(async () => {
    await nginx?.stop();
    await stack?.stop();
  });

  test.each(["", "/api"] as const)("leads %s/ws to a gateway and everything else to an api", async (prefix) => {
    const user = await createClient(nginx.url, { prefix }).register();
    const connection = connectGateway(nginx.url, user.accessToken, { path: `${prefix}/ws` });
    expect((await connection.ready).user.id).toBe(user.user.id);
    await connection.close();
    const refused = connectGateway(nginx.url, "nonsense", { path: `${prefix}/ws` });
    expect(await refused.rejected).toEqual({ status: 401, body: JSON.stringify(error("Invalid or expired token")) });
    const plain = await createClient(nginx.url, { prefix }).get("/ws");
    expect(plain.status).toBe(401);
  });

  test.each(["/metrics", "/api/metrics", "/metrics/", "/metrics?x=1", "//metrics", "/%6Detrics", "/api/%6detrics"])(
    "shows %s to nobody",
    async (path) => {
      const answer = await createClient(nginx.url).get(path);
      expect([answer.status, answer.headers.get("content-type"), answer.body]).toEqual([404, json, error("Not found")]);
    },
  );

  test("tells the apis who is calling, whatever the caller says", async () => {
    const limited = await startStack({
      apis: 1,
      gateways: 0,
      env: { RATE_LIMIT_REST_RPS: "1", RATE_LIMIT_REST_BURST: "3" },
    });
    const apis = limited.apis.map(({ url }) => url);
    const edge = await startNginx({ program: program ?? "", apis, gateways: apis });
    try {
      const client = createClient(edge.url);
      const statuses: number[] = [];
      for (let request = 0; request < 6; request += 1) {
        const headers = { "x-forwarded-for": `203.0.113.${request}`, forwarded: `for=203.0.113.${request}` };
        statuses.push((await client.send("GET", "/users/@me", { headers })).status);
      }
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await edge.stop();
      await limited.stop();
    }
  });

  test("asks another service when one refuses connections, for every method", async () => {
    const user = await createClient(nginx.url).register();
    const [first] = stack.apis;
    await first?.stop();
    try {
      const statuses = [];
      for (let request = 0; request < 8; request += 1) {
        statuses.push((await user.post("/servers", { name: "Chess club" })).status);
        statuses.push((await user.get("/users/@me")).status);
      }
      expect(new Set(statuses)).toEqual(new Set([201, 200]));
    } finally {
      await first?.restart();
    }
  });

  test("adds nothing to a user's file that would let it run where the application is", async () => {
    const user = await createClient(nginx.url).register();
    const channel = await createChannel(user, (await createCommunity(user)).id);
    const { id } = await postMessage(user, channel.id, "a file");
    const upload = (name: string, type: string, text: string) => {
      const form = new FormData();
      form.append("files", new Blob([text], { type }), name);
      return user.send("POST", `/messages/${id}/attachments`, { body: form });
    };
    const script = "<script>alert(document.domain)</script>";
    const picture = await upload("a.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`);
    const page = await upload("a.html", "text/html", `<!doctype html>${script}`);
    for (const answer of [picture, page]) {
      if (answer.status === 400) continue;
      const [{ url }] = answer.expect(201, z.tuple([Attachment]));
      const { headers } = await fetch(new URL(url, nginx.url));
      expect(headers.get("content-type")).toMatch(/^text\/plain/);
      expect(headers.get("content-disposition")).toMatch(/^attachment;/);
      expect(headers.get("content-security-policy")).toBe("sandbox");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    const place = await fetch(`${nginx.url}/app/files/${id}`);
    expect(place.headers.get("content-security-policy")).not.toBe("sandbox");
  });

  test("logs requests without the tokens in their addresses", async () => {
    await createClient(nginx.url).get("/nowhere?token=secret-token");
    const line = await waitUntil(async () =>
      (await nginx.accessLog()).split("\n").find((candidate) => candidate.includes('"/nowhere"')),
    );
    const entry: unknown = JSON.parse(line);
    expect(entry).toMatchObject({ method: "GET", path: "/nowhere", status: 404 });
    expect(await nginx.accessLog()).not.toContain("secret-token");
  });
});

describe.skipIf(program === null)("nginx itself", () => {
  let upstream: Server;
  let nginx: NginxEdge;
  const requests: IncomingMessage[] = [];
  let answerNext: (request: IncomingMessage) => void = () => undefined;

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      requests.push(request);
      answerNext(request);
      if (request.url === "/cut") request.socket.destroy();
      else if (request.url !== upload) request.resume().on("end", () => response.end("{}"));
      else {
        let bytes = 0;
        request.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => response.end(String(bytes)));
      }
    });
    upstream.listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const address = upstream.address();
    const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
    nginx = await startNginx({ program: program ?? "", apis: [url, url], gateways: [url] });
  });
  afterAll(async () => {
    await nginx?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
  });

  test("passes bodies of 52 MB and refuses larger ones with the contract's 400", async () => {
    const bytes = 52 * 1024 * 1024;
    const passed = await fetch(`${nginx.url}${upload}`, { method: "POST", body: Buffer.alloc(bytes) });
    expect([passed.status, await passed.text()]).toEqual([200, String(bytes)]);
    const refused = await exchange(
      nginx.url,
      `POST ${upload} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    expect(refused).toContain("HTTP/1.1 400 ");
    expect(refused).toContain(JSON.stringify(error("File size exceeds the 50 MB limit")));
  });

  test("hands an upload on while it is still arriving", async () => {
    const reached = new Promise<void>((resolve) => {
      answerNext = () => resolve();
    });
    const { hostname, port } = new URL(nginx.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${upload} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nConnection: close\r\n\r\n12345`);
    await reached;
    socket.write("67890");
    const chunks: Buffer[] = await socket.toArray();
    expect(Buffer.concat(chunks).toString()).toMatch(/\r\n\r\n10$/);
  });

  test("hands a JSON body on once it is whole, and refuses a large one with the contract's 400", async () => {
    const { hostname, port } = new URL(nginx.url);
    const before = requests.length;
    const socket = connect(Number(port), hostname);
    socket.write("POST /servers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{");
    // Another request overtakes it; afterwards the first one would have arrived as well.
    await (await fetch(`${nginx.url}/x`)).text();
    expect(requests.slice(before).map(({ url }) => url)).toEqual(["/x"]);
    socket.write("}");
    await socket.toArray();
    expect(requests.slice(before).map(({ url }) => url)).toEqual(["/x", "/servers"]);
    const refused = await exchange(nginx.url, "POST /servers HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n");
    expect(refused).toContain("HTTP/1.1 400 ");
    expect(refused).toContain(JSON.stringify(error("Request body must be at most 256 KB")));
  });

  test.each(["/%zz", "/api/../..", "/a%00b", "/..%2f..", "/%"])(
    "answers the address %s with 400 and JSON",
    async (path) => {
      const answer = await exchange(nginx.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer).toContain("HTTP/1.1 400 ");
      expect(answer).toContain(`Content-Type: ${json}`);
      expect(answer).toContain(JSON.stringify(error("Malformed request")));
    },
  );

  test("answers an address and headers longer than its buffers with 400 and JSON", async () => {
    const address = await exchange(nginx.url, `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(address).toContain("HTTP/1.1 400 ");
    expect(address).toContain(JSON.stringify(error("Request address is too long")));
    const header = await exchange(nginx.url, `GET /x HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(40_000)}\r\n\r\n`);
    expect(header).toContain("HTTP/1.1 400 ");
    expect(header).toContain(JSON.stringify(error("Malformed request")));
  });

  test.each([
    ["POST", 1],
    ["PATCH", 1],
    ["GET", 2],
    ["PUT", 2],
    ["DELETE", 2],
  ])("sends a %s whose connection breaks %i times: only what may be repeated is", async (method, times) => {
    const before = requests.length;
    const answer = await fetch(`${nginx.url}/cut`, { method });
    expect([answer.status, answer.headers.get("content-type"), await answer.json()]).toEqual([
      502,
      json,
      error("Bad gateway"),
    ]);
    expect(requests.length - before).toBe(times);
  });

  test("keeps its connections to the apis and names only the peer as client", async () => {
    const before = requests.length;
    for (let request = 0; request < 4; request += 1) {
      await (await fetch(`${nginx.url}/x`, { headers: { "x-forwarded-for": "203.0.113.9" } })).text();
    }
    const seen = requests.slice(before);
    expect(seen.map(({ headers }) => headers["x-forwarded-for"])).toEqual(Array(4).fill("127.0.0.1"));
    expect(new Set(seen.map(({ socket }) => socket)).size).toBeLessThan(4);
  });

  test("answers what is no HTTP with the contract's body", async () => {
    const answer = await exchange(nginx.url, "GET /x HTTP/1.1\r\nHost: a b\r\nHost: c\r\n\r\n");
    expect(answer).toContain(JSON.stringify(error("Malformed request")));
  });
});

describe.skipIf(program === null)("nginx without services", () => {
  const nobody = "http://127.0.0.1:1";
  const secret = "secret-token";

  test.each([
    ["the gateway", `/ws?token=${secret}`],
    ["the gateway below /api", `/api/ws?bot_token=${secret}`],
    ["a signed file", `/files/1/a.png?signature=${secret}`],
    ["no address at all", `/%zz?token=${secret}`],
    ["an address that is too long", `/${"a".repeat(40_000)}?token=${secret}`],
  ])("writes no token of a request for %s to any log", async (_, path) => {
    const nginx = await startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody] });
    try {
      const answer = await exchange(nginx.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [, status] = /^HTTP\/1.1 (\d+)/.exec(answer) ?? [];
      await waitUntil(async () => (await nginx.accessLog()).includes(`"status":${status}`));
      expect(await nginx.allLogs()).not.toContain(secret);
    } finally {
      await nginx.stop();
    }
  });

  test("answers over TLS too where it has a certificate, and takes a renewed one without a reload", async () => {
    const certificate = await mkdtemp(join(tmpdir(), "parley-certificate-"));
    await makeCertificate(certificate, "first");
    const nginx = await startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], certificate });
    try {
      expect(await subjectOf(nginx.tlsUrl)).toEqual(["404", "first"]);
      await makeCertificate(nginx.tlsFolder, "second");
      expect(await subjectOf(nginx.tlsUrl)).toEqual(["404", "second"]);
    } finally {
      await nginx.stop();
      await rm(certificate, { recursive: true });
    }
  });

  test("has no more than the set number of requests of one address in progress", async () => {
    const nginx = await startNginx({
      program: program ?? "",
      apis: [nobody],
      gateways: [nobody],
      connectionsPerAddress: 2,
    });
    const { hostname, port } = new URL(nginx.url);
    const unfinished = "POST /servers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{";
    const waiting = [connect(Number(port), hostname), connect(Number(port), hostname)];
    try {
      for (const socket of waiting) socket.write(unfinished);
      const refused = await waitUntil(async () => {
        const answer = await fetch(`${nginx.url}/x`);
        return answer.status === 503 && answer;
      });
      expect([refused.headers.get("content-type"), await refused.json()]).toEqual([json, error("Service unavailable")]);
      waiting[0]?.destroy();
      await waitUntil(async () => (await fetch(`${nginx.url}/x`)).status === 502);
    } finally {
      for (const socket of waiting) socket.destroy();
      await nginx.stop();
    }
  });
});

async function makeCertificate(folder: string, name: string): Promise<void> {
  const files = ["-keyout", join(folder, "tls.key"), "-out", join(folder, "tls.crt")];
  const options = ["-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${name}`];
  await promisify(execFile)("openssl", ["req", "-x509", ...options, ...files]);
}

/** The status of an answer over a connection of its own, and the name on the certificate of that. */
async function subjectOf(url: string): Promise<[string, string]> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/metrics`, { rejectUnauthorized: false, agent: false }, resolve).on("error", reject);
  });
  const { socket } = response;
  const subject = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : "";
  response.resume();
  return [String(response.statusCode), subject];
}

/** Sends text as it is and returns what comes back until the connection or the answer ends. */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = "";
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.endsWith("}")) break;
  }
  return answer;
}
