import { connect } from "node:net";
import { errorBody } from "@parley/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "./http-server.js";

let listening: HttpServer;
let handled = 0;
beforeAll(async () => {
  // Answers later, as a request does that waits for a database.
  const handler: Parameters<typeof startHttpServer>[0]["handler"] = (request, response) => {
    handled += 1;
    request.resume().once("end", () => setImmediate(() => response.end("handled")));
  };
  listening = await startHttpServer({ handler, host: "127.0.0.1", port: 0 });
});
afterAll(() => listening?.close());

async function answerTo(text: string): Promise<string> {
  const socket = connect(listening.port, "127.0.0.1");
  socket.write(text);
  return (await socket.setEncoding("utf8").toArray()).join("");
}

test.each([
  [
    "an expectation that nobody knows",
    "GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n",
    "Expect header is not supported",
  ],
  [
    "an expectation with a body",
    "GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nContent-Length: 1\r\n\r\n",
    "Expect header is not supported",
  ],
  ["no Host", "GET / HTTP/1.1\r\n\r\n", "Host header is required"],
  ["no HTTP", "nonsense\r\n\r\n", "Malformed request"],
  ["a version that does not exist", "GET / HTTP/7.9\r\nHost: a\r\n\r\n", "Malformed request"],
  ["a method that does not exist", "FETCH / HTTP/1.1\r\nHost: a\r\n\r\n", "Malformed request"],
  ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "Malformed request"],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "Malformed request",
  ],
  ["an empty Host", "GET / HTTP/1.1\r\nHost: \r\n\r\n", "Host header is required"],
  ["two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "Malformed request"],
  ["one Host twice", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "Malformed request"],
  ["a Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "Malformed request"],
  ["no Host beside an absolute target", "GET http://a/ HTTP/1.1\r\n\r\n", "Host header is required"],
  ["an absolute target with user information", "GET http://b@a/ HTTP/1.1\r\nHost: a\r\n\r\n", "Malformed request"],
  ["an absolute target without a host", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", "Malformed request"],
  ["a target that is no path", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "Malformed request"],
  [
    "a coding besides chunks",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "Malformed request",
  ],
  [
    "chunks in HTTP/1.0",
    "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Malformed request",
  ],
  [
    "too long a head",
    `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`,
    "Request headers are too large",
  ],
])("%s is answered with 400, JSON and the usual headers, by nobody else", async (_, text, expected) => {
  const before = handled;
  const answer = await answerTo(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  for (const header of [
    "Content-Type: application/json; charset=utf-8",
    "X-Content-Type-Options: nosniff",
    "X-Frame-Options: DENY",
    "Referrer-Policy: strict-origin-when-cross-origin",
    "Connection: close",
  ]) {
    expect(answer).toContain(`${header}\r\n`);
  }
  expect(answer.endsWith(JSON.stringify(errorBody(expected)))).toBe(true);
  expect(handled).toBe(before);
});

test("CONNECT is answered like every other method that no path has", async () => {
  const answer = await answerTo("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  expect(answer.endsWith(JSON.stringify(errorBody("Not found")))).toBe(true);
});

test("a whole request is answered before what follows it is refused", async () => {
  const whole = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok";
  const answer = await answerTo(`${whole} and more than it said`);
  const [first = "", second = ""] = answer.split(/(?<=handled)/);
  expect(first).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*handled$/);
  expect(second).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*"malformed_request"\}$/);
});

test("100-continue goes on, and HTTP/1.0 needs no Host", async () => {
  const body = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok";
  expect(await answerTo(body)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(await answerTo("GET / HTTP/1.0\r\n\r\n")).toMatch(/200 OK/);
});

test("a target in absolute form is its path and query, and its authority the Host", async () => {
  const heads: string[] = [];
  const server = await startHttpServer({
    handler: (request, response) => {
      heads.push(`${request.url} of ${request.headers.host}`);
      response.end();
    },
    host: "127.0.0.1",
    port: 0,
  });
  const socket = connect(server.port, "127.0.0.1");
  const targets = ["http://b:1/x?y", "HTTPS://b", "http://[::1]?y", "/http://b/"];
  socket.end(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
  await socket.resume().toArray();
  expect(heads).toEqual(["/x?y of b:1", "/ of b", "/?y of [::1]", "/http://b/ of a"]);
  await server.close();
});

test("an upgrade is refused by the same rules", async () => {
  let upgrades = 0;
  const onUpgrade = () => {
    upgrades += 1;
  };
  const server = await startHttpServer({ handler: () => undefined, host: "127.0.0.1", port: 0, onUpgrade });
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET /ws HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  const answer = (await socket.setEncoding("utf8").toArray()).join("");
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"malformed_request"\}$/);
  expect(upgrades).toBe(0);
  await server.close();
});
