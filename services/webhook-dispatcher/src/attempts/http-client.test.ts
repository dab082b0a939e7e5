import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createNameResolver } from "@parley/egress";
import { expect, onTestFinished, test } from "vitest";
import { AttemptTimeoutError, createHttpClient } from "./http-client.js";

const ok = "HTTP/1.1 200 OK\r\n";

/** A server that does as it likes with the connection once a request has come in. @returns its URL */
async function receiver(behave: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => behave(socket));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const every = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on("close", () => clearInterval(timer));
};

function client() {
  const made = createHttpClient({
    allowsAddress: () => true,
    names: createNameResolver({ knowsLocalNames: true }),
    connectTimeoutMs: 60_000,
  });
  onTestFinished(() => made.close());
  return made;
}

const sent = (url: string, timeoutMs: number) => ({
  url,
  ownerId: "owner",
  timeoutMs,
  headers: {},
  body: Buffer.from("{}"),
});

test.each<[string, (socket: Socket) => void]>([
  ["is silent", () => undefined],
  [
    "drips",
    (socket) => {
      socket.write(ok);
      every(socket, "X-Drip: 1\r\n");
    },
  ],
  ["keeps promising", (socket) => every(socket, "HTTP/1.1 102 Processing\r\n\r\n")],
])("a request ends with its time when the receiver %s", async (_, behave) => {
  await expect(client().post(sent(await receiver(behave), 300))).rejects.toBeInstanceOf(AttemptTimeoutError);
});

test("a request to a bot ends with its time when the answer does not end", async () => {
  const url = await receiver((socket) => {
    socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n`);
    every(socket, "1\r\nx\r\n");
  });
  const asked = client().ask({ ...sent(url, 300), bytesMax: 1_000_000 });
  await expect(asked).rejects.toBeInstanceOf(AttemptTimeoutError);
});

test.each<[string, () => Promise<string>]>([
  ["nobody listens", async () => "http://127.0.0.1:1"],
  ["the connection ends", () => receiver((socket) => socket.end())],
  ["the answer ends too soon", () => receiver((socket) => socket.end(`${ok}Content-Length: 1000\r\n\r\n{`))],
])("a request fails by itself, and not with its time, when %s", async (_, start) => {
  const asked = client().ask({ ...sent(await start(), 600_000), bytesMax: 1_000 });
  await expect(asked).rejects.not.toBeInstanceOf(AttemptTimeoutError);
});
