import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { receiverOfTest } from "../stages/webhook-receiver.js";
import { createWebhook, pingOnce, useWebhookStage } from "../stages/webhook-stage.js";

// That an attempt ends with its time is in services/webhook-dispatcher/src/attempts/http-client.test.ts.

const stage = useWebhookStage();

/** A server that does as it likes with the connection once a whole request has come in. */
async function rawReceiver(behave: (socket: Socket) => void): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => behave(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, server };
}

const attempt = async (url: string) =>
  pingOnce(stage.owner, (await createWebhook(stage.owner, stage.server.id, { url })).webhook);
/** First attempts of several webhooks of one receiver, the quickest first: a busy machine may hold one up. */
const attempts = async (url: string) => {
  const entries = await Promise.all([1, 2, 3].map(() => attempt(url)));
  return entries.sort((one, other) => Number(one.duration_ms) - Number(other.duration_ms));
};
const ok = "HTTP/1.1 200 OK\r\n";
const every = (socket: Socket, intervalMs: number, text: string) => {
  const timer = setInterval(() => socket.write(text), intervalMs);
  socket.on("close", () => clearInterval(timer));
};

describe("an attempt fails", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["closes at once", (socket) => socket.end()],
    ["resets the connection", (socket) => socket.resetAndDestroy()],
    ["closes within its headers", (socket) => socket.end(`${ok}Content-Le`)],
    ["speaks no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
    [
      "switches protocols",
      (socket) => socket.write("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ],
    ["sends endless headers", (socket) => socket.write(`${ok}X-Long: ${"x".repeat(200_000)}`)],
  ])("an attempt fails when the receiver %s", async (_, behave) => {
    const entries = await attempts((await rawReceiver(behave)).url);
    for (const entry of entries) {
      expect(entry).toMatchObject({ status: "pending", attempts: 1, response_status: null });
      expect(entry.error).toMatch(/./);
      // At once, and not at the end of its time.
      expect(entry.error).not.toMatch(/^No answer within/);
    }
  });

  test.each([300, 304, 307, 400, 404, 410, 429, 500, 503, 599])(
    "an attempt fails when the answer is %i",
    async (status) => {
      const receiver = await receiverOfTest((response) => {
        response.writeHead(status);
        response.end();
      });
      expect(await attempt(receiver.url)).toMatchObject({ response_status: status, error: `Answered ${status}` });
    },
  );

  test("an attempt fails when the answer is a redirect, which is not followed", async () => {
    const elsewhere = await receiverOfTest();
    const receiver = await receiverOfTest((response) => {
      response.writeHead(302, { location: elsewhere.url });
      response.end();
    });
    expect(await attempt(receiver.url)).toMatchObject({ response_status: 302, error: "Answered 302" });
    expect(elsewhere.received).toEqual([]);
  });

  test("an attempt fails when nothing listens, no such host exists, or the receiver knows no TLS", async () => {
    const receiver = await receiverOfTest();
    for (const url of ["http://127.0.0.1:1/", "http://receiver.invalid/", receiver.url.replace("http:", "https:")]) {
      expect(await attempt(url)).toMatchObject({
        status: "pending",
        response_status: null,
        error: expect.stringMatching(/./),
      });
    }
    expect(receiver.received).toEqual([]);
  });
});

describe("an attempt succeeds", () => {
  test.each([200, 201, 202, 204, 299])("an attempt succeeds with %i", async (status) => {
    const receiver = await receiverOfTest((response) => {
      response.writeHead(status);
      response.end();
    });
    expect(await attempt(receiver.url)).toMatchObject({ status: "delivered", response_status: status, error: null });
  });

  test("an attempt succeeds without waiting for the body, however long or slow it is, and without reading it all", async () => {
    const written: number[] = [];
    const huge = await rawReceiver((socket) => {
      socket.write(`${ok}Content-Length: ${100 * 1024 ** 2}\r\n\r\n`);
      const chunk = Buffer.alloc(1024 ** 2);
      let left = 100;
      const more = () => {
        while (left > 0 && !socket.destroyed) {
          left -= 1;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on("drain", more);
      socket.on("close", () => written.push(socket.bytesWritten));
      more();
    });
    const chunked = await rawReceiver((socket) => {
      socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n`);
      every(socket, 100, "1\r\nx\r\n");
    });
    for (const { url } of [huge, chunked]) {
      const entries = await attempts(url);
      // The body of one never ends: a dispatcher that waited for it would have no answer in time.
      for (const entry of entries) expect(entry).toMatchObject({ status: "delivered", response_status: 200 });
    }
    await expect.poll(() => written.length).toBe(3);
    for (const bytes of written) expect(bytes).toBeLessThan(30 * 1024 ** 2);
  });

  test("an attempt succeeds with credentials in the URL as basic authentication", async () => {
    const receiver = await receiverOfTest();
    await attempt(receiver.url.replace("://", "://user:p%40ss@"));
    const [delivery] = receiver.received;
    expect(delivery?.headers.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
    expect(delivery?.headers.host).toBe(`127.0.0.1:${receiver.port}`);
  });
});
