import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
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

it.each([
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
  expect(answer.endsWith(JSON.stringify({ error: expected, message: expected }))).toBe(true);
  expect(handled).toBe(before);
});

it("CONNECT is answered like every other method that no path has", async () => {
  const answer = await answerTo("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  expect(answer.endsWith(JSON.stringify({ error: "Not found", message: "Not found" }))).toBe(true);
});

it("a whole request is answered before what follows it is refused", async () => {
  const whole = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok";
  const answer = await answerTo(`${whole} and more than it said`);
  const [first = "", second = ""] = answer.split(/(?<=handled)/);
  expect(first).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*handled$/);
  expect(second).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*"Malformed request"\}$/);
});

it("100-continue goes on, and HTTP/1.0 needs no Host", async () => {
  const body = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok";
  expect(await answerTo(body)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(await answerTo("GET / HTTP/1.0\r\n\r\n")).toMatch(/200 OK/);
});
