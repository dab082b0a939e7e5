import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { errorBody } from "@parley/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { exchange, jsonType, type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);
const message = "00000000-0000-4000-8000-000000000000";
const upload = `/api/messages/${message}/attachments`;
/** Where a body is a message with its files. */
const messagePaths = [
  `/api/channels/${message}/messages`,
  `/channels/${message}/messages/${message}/thread`,
  `/api/dm-channels/${message}/messages`,
];
const counted = [upload, ...messagePaths, `/api/dm-messages/${message}/attachments`];
const form = "multipart/form-data; boundary=x";

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
      else if (!counted.includes(request.url ?? "")) request.resume().on("end", () => response.end("{}"));
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
    expect(refused).toContain(JSON.stringify(errorBody("File size exceeds the 50 MB limit")));
  });

  test.each(counted)("passes files with a message of 52 MB to %s", async (path) => {
    const bytes = 52 * 1024 * 1024;
    const headers = { "content-type": form };
    const passed = await fetch(`${nginx.url}${path}`, { method: "POST", body: Buffer.alloc(bytes), headers });
    expect([passed.status, await passed.text()]).toEqual([200, String(bytes)]);
    const refused = await exchange(
      nginx.url,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    expect(refused).toContain(JSON.stringify(errorBody("File size exceeds the 50 MB limit")));
  });

  test.each(counted)("hands files for %s on while they are still arriving", async (path) => {
    const reached = new Promise<void>((resolve) => {
      answerNext = () => resolve();
    });
    const { hostname, port } = new URL(nginx.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${form}\r\nContent-Length: 10\r\nConnection: close\r\n\r\n12345`,
    );
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
    expect(refused).toContain(JSON.stringify(errorBody("Request body must be at most 256 KB")));
  });

  test.each([
    ["POST", 1],
    ["PATCH", 1],
    // Two more when it starts again.
    ["GET", 4],
    ["PUT", 2],
    ["DELETE", 2],
  ])("sends a %s whose connection breaks %i times: only what may be repeated is", async (method, times) => {
    const before = requests.length;
    const answer = await fetch(`${nginx.url}/cut`, { method });
    expect([answer.status, answer.headers.get("content-type"), await answer.json()]).toEqual([
      502,
      jsonType,
      errorBody("Bad gateway"),
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

  test("gives the apis a Host where HTTP/1.0 has none, as some health checks do", async () => {
    const before = requests.length;
    expect(await exchange(nginx.url, "GET /health/live HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
    expect(requests[before]?.headers.host).toBe("localhost");
  });
});
