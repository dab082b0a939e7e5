import { errorBody } from "@parley/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { exchange, jsonType, type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("what nginx answers by itself", () => {
  let nginx: NginxEdge;
  beforeAll(async () => {
    const nobody = "http://127.0.0.1:1";
    nginx = await startNginx({ program: program ?? "", apis: [nobody], gateways: [nobody], waitMs: 10 });
  });
  afterAll(() => nginx?.stop());

  const host = "Host: x\r\n";
  const malformed = "Malformed request";

  test.each([
    ["an address with a bad escape", `GET /%zz HTTP/1.1\r\n${host}\r\n`, 400, malformed],
    ["an address that ends in an escape", `GET /% HTTP/1.1\r\n${host}\r\n`, 400, malformed],
    ["an address above the root", `GET /api/../.. HTTP/1.1\r\n${host}\r\n`, 400, malformed],
    ["an address above the root, escaped", `GET /..%2f.. HTTP/1.1\r\n${host}\r\n`, 400, malformed],
    ["an address with NUL", `GET /a%00b HTTP/1.1\r\n${host}\r\n`, 400, malformed],
    ["too long an address", `GET /${"a".repeat(40_000)} HTTP/1.1\r\n${host}\r\n`, 400, "Request address is too long"],
    [
      "too long a header",
      `GET /x HTTP/1.1\r\n${host}X: ${"a".repeat(40_000)}\r\n\r\n`,
      400,
      "Request headers are too large",
    ],
    ["no HTTP", "nonsense\r\n\r\n", 400, malformed],
    ["a version that does not exist", `GET / HTTP/7.9\r\n${host}\r\n`, 400, malformed],
    ["two Hosts", "GET /x HTTP/1.1\r\nHost: a b\r\nHost: c\r\n\r\n", 400, malformed],
    ["no Host", "GET /x HTTP/1.1\r\n\r\n", 400, malformed],
    ["chunks that are none", `POST /x HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, 400, malformed],
    ["an unknown encoding of a transfer", `POST /x HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`, 400, malformed],
    ["TRACE", `TRACE /x HTTP/1.1\r\n${host}\r\n`, 404, "Not found"],
    ["an asset that does not exist", `GET /app/assets/none HTTP/1.1\r\n${host}\r\n`, 404, "Not found"],
    ["metrics", `GET /metrics HTTP/1.1\r\n${host}\r\n`, 404, "Not found"],
    ["a request without an api", `GET /x HTTP/1.1\r\n${host}\r\n`, 502, "Bad gateway"],
  ])("what nginx answers by itself is JSON with the usual headers: %s", async (_, bytes, status, text) => {
    const answer = await exchange(nginx.url, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.endsWith(JSON.stringify(errorBody(text)))).toBe(true);
    for (const header of [
      `Content-Type: ${jsonType}`,
      "X-Content-Type-Options: nosniff",
      "X-Frame-Options: DENY",
      "Referrer-Policy: strict-origin-when-cross-origin",
    ]) {
      expect(answer.split(`${header}\r\n`)).toHaveLength(2);
    }
  });
});
