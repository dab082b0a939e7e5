import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { errorBody } from "@parley/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../ports.js";
import { type Edge, startEdge } from "./edge.js";

let edge: Edge;
beforeAll(async () => {
  const nobody = `http://127.0.0.1:${await findFreePort()}`;
  edge = await startEdge({
    hosts: ["127.0.0.1"],
    port: await findFreePort(),
    apis: () => [nobody],
    gateways: () => [nobody],
  });
});
afterAll(() => edge?.close());

const host = "Host: a\r\n";
const upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n";

test.each([
  ["no HTTP", "nonsense\r\n\r\n", "400 Bad Request", "Malformed request"],
  ["a version that does not exist", `GET / HTTP/7.9\r\n${host}\r\n`, "400 Bad Request", "Malformed request"],
  ["a method that does not exist", `FETCH / HTTP/1.1\r\n${host}\r\n`, "400 Bad Request", "Malformed request"],
  ["no Host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request", "Host header is required"],
  [
    "too long a head",
    `GET / HTTP/1.1\r\n${host}X: ${"x".repeat(40_000)}\r\n\r\n`,
    "400 Bad Request",
    "Request headers are too large",
  ],
  [
    "chunks that are none",
    `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    "400 Bad Request",
    "Malformed request",
  ],
  [
    "an unknown expectation",
    `GET / HTTP/1.1\r\n${host}Expect: 200-ok\r\n\r\n`,
    "400 Bad Request",
    "Expect header is not supported",
  ],
  ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", "404 Not Found", "Not found"],
  ["what nobody gets", `GET /metrics HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, "404 Not Found", "Not found"],
  [
    "a request without an api",
    `GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    "503 Service Unavailable",
    "Service unavailable",
  ],
  [
    "an upgrade without a gateway",
    `GET /ws HTTP/1.1\r\n${host}Connection: Upgrade\r\n${upgrade}\r\n`,
    "503 Service Unavailable",
    "Service unavailable",
  ],
])("%s is answered in the form of every error (docs/protocol/requests.md#1.4)", async (_, bytes, status, expected) => {
  const socket = connect(edge.port, "127.0.0.1");
  socket.write(bytes);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const [statusLine, ...headers] = head.split("\r\n");
  expect(statusLine).toBe(`HTTP/1.1 ${status}`);
  expect(headers).toEqual(
    expect.arrayContaining([
      "Content-Type: application/json; charset=utf-8",
      "X-Content-Type-Options: nosniff",
      "X-Frame-Options: DENY",
      "Referrer-Policy: strict-origin-when-cross-origin",
    ]),
  );
  expect(JSON.parse(body)).toEqual(errorBody(expected));
});
