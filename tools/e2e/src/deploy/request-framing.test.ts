import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { errorBody } from "@parley/contracts";
import { findFreePort, startEdge } from "@parley/local-stack";
import { closingErrorText, type HttpServer, startHttpServer } from "@parley/service-runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { startNginx } from "./nginx-edge.js";

// Request smuggling (RFC 9112 11.2): each reader refuses bytes that two readers could divide into requests in two ways,
// or forwards them in a form that has one reading.

const nginx = await provideProgram(nginxProgram);

const host = "Host: a\r\nConnection: close\r\n";
const chunked = `${host}Transfer-Encoding: chunked\r\n`;
const last = "0\r\n\r\n";
const hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n";
/** A request whose body, as some would read it, is the other request. */
const around = `Content-Length: ${hidden.length}\r\n`;

/**
 * Header lines and the bytes behind them. nginx reads some of them as its specification allows and forwards them anew.
 */
const shapes: { name: string; head: string; body: string; nginx?: 200 }[] = [
  { name: "two lengths", head: `${host}Content-Length: 0\r\n${around}`, body: hidden },
  { name: "one length twice", head: `${host}${around}${around}`, body: hidden },
  { name: "a list of lengths", head: `${host}Content-Length: 0, ${hidden.length}\r\n`, body: hidden },
  { name: "a length with a sign", head: `${host}Content-Length: +0\r\n`, body: hidden },
  { name: "a negative length", head: `${host}Content-Length: -1\r\n`, body: hidden },
  { name: "a length in base 16", head: `${host}Content-Length: 0x0\r\n`, body: hidden },
  { name: "a length above 64 bits", head: `${host}Content-Length: 18446744073709551616\r\n`, body: hidden },
  { name: "a length, then chunks", head: `${host}${around}Transfer-Encoding: chunked\r\n`, body: `${last}${hidden}` },
  { name: "chunks, then a length", head: `${chunked}${around}`, body: `${last}${hidden}` },
  { name: "a coding that is not known", head: `${host}Transfer-Encoding: xchunked\r\n${around}`, body: hidden },
  { name: "chunks of gzip", head: `${host}Transfer-Encoding: gzip, chunked\r\n`, body: `${last}${hidden}` },
  { name: "chunks and identity", head: `${chunked}Transfer-Encoding: identity\r\n`, body: `${last}${hidden}` },
  { name: "chunks twice", head: `${chunked}Transfer-Encoding: chunked\r\n`, body: `${last}${hidden}` },
  { name: "a space before the colon", head: `${host}Transfer-Encoding : chunked\r\n`, body: `${last}${hidden}` },
  { name: "a vertical tab", head: `${host}Transfer-Encoding: \u000bchunked\r\n`, body: `${last}${hidden}` },
  { name: "a folded coding", head: `${host}Transfer-Encoding:\r\n chunked\r\n`, body: `${last}${hidden}` },
  { name: "a folded length", head: `${host}Content-Length: 0\r\n ${hidden.length}\r\n`, body: hidden },
  { name: "a folded first line", head: `\tX: y\r\n${host}`, body: "" },
  { name: "a NUL in a value", head: `${host}X: a\u0000b\r\n`, body: "" },
  { name: "a bare CR", head: `${host}X: y\rTransfer-Encoding: chunked\r\n`, body: "" },
  { name: "a bare LF", head: `${host}X: y\nContent-Length: 0\r\n`, body: hidden, nginx: 200 },
  { name: "a size in base 16 with its sign", head: chunked, body: `0x1\r\na\r\n${last}${hidden}` },
  { name: "a negative size", head: chunked, body: `-1\r\na\r\n${last}${hidden}` },
  { name: "a size above 64 bits", head: chunked, body: `10000000000000000\r\n${last}${hidden}` },
  { name: "a chunk longer than its size", head: chunked, body: `1\r\nab\r\n${last}${hidden}` },
  { name: "a chunk without its end", head: chunked, body: `1\r\na${last}${hidden}` },
  { name: "a size ended by LF", head: chunked, body: `1\na\r\n${last}${hidden}`, nginx: 200 },
  { name: "an extension ended by LF", head: chunked, body: `1;x\na\r\n${last}${hidden}`, nginx: 200 },
  { name: "a chunk ended by LF", head: chunked, body: `1\r\na\n${last}${hidden}`, nginx: 200 },
  { name: "a huge extension", head: chunked, body: `1;${"x".repeat(65_536)}\r\na\r\n${last}${hidden}`, nginx: 200 },
  { name: "a length as a trailer", head: chunked, body: `0\r\n${around}\r\n${hidden}`, nginx: 200 },
  { name: "two Hosts", head: `Host: b\r\n${host}`, body: "" },
  { name: "a Host with a path", head: "Host: a/b\r\nConnection: close\r\n", body: "" },
];

interface End {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

describe.each(nginx === null ? ["a service", "the local edge"] : ["a service", "the local edge", "nginx"])(
  "%s",
  (kind) => {
    const seen: string[] = [];
    let service: HttpServer;
    let end: End;

    beforeAll(async () => {
      service = await startHttpServer({
        host: "127.0.0.1",
        port: 0,
        // As a gateway refuses a token.
        onUpgrade: (_request, socket) => socket.end(closingErrorText("401 Unauthorized", "Invalid or expired token")),
        handler: async (request, response) => {
          seen.push(`${request.method} ${request.url} of ${request.headers.host}`);
          await text(request).then(
            () => response.end(`answer to ${request.url}`),
            () => request.destroy(),
          );
        },
      });
      end = await openEnd(kind, service);
    });
    afterAll(async () => {
      await end?.stop();
      await service?.close();
    });

    // The bodies of uploads pass nginx piece by piece, others as a whole.
    describe.each(["/plain", "/messages/1/attachments"])("POST %s", (path) => {
      test.each(shapes)("a request whose framing is $name has one reading or none", async (shape) => {
        seen.length = 0;
        const answer = await exchange(end.url, `POST ${path} HTTP/1.1\r\n${shape.head}\r\n${shape.body}`);
        if (kind === "nginx" && shape.nginx === 200) expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
        else {
          expect(answer).toMatch(/^HTTP\/1\.1 400 /);
          expect(answer.endsWith(JSON.stringify(errorBody("Malformed request")))).toBe(true);
        }
        expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
        const next = await fetch(`${end.url}/next`);
        expect(await next.text()).toBe("answer to /next");
        expect(seen.filter((request) => request.includes("/hidden"))).toEqual([]);
      });
    });

    test("takes a target in absolute form, whose authority is the Host", async () => {
      seen.length = 0;
      const answer = await exchange(end.url, `GET http://b/x?y HTTP/1.1\r\n${host}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*answer to \/x\?y/);
      expect(seen).toEqual([expect.stringMatching(/^GET \/x\?y of /)]);
      expect(await exchange(end.url, `GET http://b/metrics HTTP/1.1\r\n${host}\r\n`)).toMatch(
        kind === "a service" ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 404 /,
      );
    });

    test("never reads the body of a refused upgrade as a request", async () => {
      seen.length = 0;
      const upgrade = "Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
      const answer = await exchange(end.url, `GET /ws HTTP/1.1\r\n${upgrade}${around}\r\n${hidden}`);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      expect(seen.filter((request) => request.includes("/hidden"))).toEqual([]);
    });
  },
);

async function openEnd(kind: string, { url }: HttpServer): Promise<End> {
  if (kind === "a service") return { url, stop: async () => undefined };
  if (kind === "nginx") return startNginx({ program: nginx ?? "", apis: [url], gateways: [url] });
  const port = await findFreePort();
  const edge = await startEdge({ hosts: ["127.0.0.1"], port, apis: () => [url], gateways: () => [url] });
  return { url: `http://127.0.0.1:${port}`, stop: edge.close };
}

/** Sends bytes, and nothing more once an answer begins; returns all that comes back until the connection ends, also by a reset. */
async function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answer: string[] = [];
  socket.on("data", (data) => answer.push(String(data)));
  socket.once("data", () => socket.end());
  const ended = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
    socket.on("error", () => resolve());
  });
  socket.write(Buffer.from(bytes, "latin1"));
  await ended;
  return answer.join("");
}
