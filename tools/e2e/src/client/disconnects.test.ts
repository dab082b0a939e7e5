import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createClient, type ParleyClient } from "@parley/client";
import { startStack, type TestStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A cut takes about 0.2 s where two cores run everything; `CLIENT_DISCONNECTS=1000` is the long form. */
const disconnects = Number(process.env.CLIENT_DISCONNECTS ?? 40);
const timeoutMs = 60_000 + disconnects * 500;
let stack: TestStack;
beforeAll(async () => {
  stack = await startStack({ gateways: 2 });
});
afterAll(() => stack?.stop());

/** A way to the edge that is cut after so many bytes from the server, drawn anew for each connection. */
async function startCuttingProxy(bytesMax: number) {
  let cuts = 0;
  let isCutting = true;
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(stack.edgeUrl);
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    let left = Math.ceil(Math.random() * bytesMax);
    outgoing.on("data", (bytes) => {
      if (!isCutting || bytes.length < left) {
        left -= bytes.length;
        incoming.write(bytes);
        return;
      }
      // Also in the middle of a frame.
      isCutting = ++cuts < disconnects;
      incoming.write(bytes.subarray(0, left), () => incoming.destroy());
      outgoing.destroy();
    });
    incoming.on("data", (bytes) => outgoing.write(bytes));
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        // What the server ends, be it a refused upgrade, ends for the client too, after the bytes on their way.
        if (socket === incoming) other.destroy();
        else other.end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function createReader(owner: ParleyClient, serverId: string, baseUrl: string): Promise<ParleyClient> {
  const direct = createClient({ baseUrl: stack.edgeUrl });
  await direct.register({ username: `r_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  await direct.servers.join(serverId);
  expect((await owner.members.count(serverId)).total).toBeGreaterThan(1);
  return createClient({ baseUrl, tokens: direct.tokens ?? { accessToken: "", refreshToken: "" } });
}

test(`${disconnects} connections cut under traffic lose no event and repeat none`, { timeout: timeoutMs }, async () => {
  const owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `o_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  const server = await owner.servers.create({ name: "Traffic", is_public: true });
  const channel = await owner.channels.create(server.id, { name: "general" });
  // A replay, or a new READY, is a few hundred bytes to a few kilobytes: cuts fall into both and between them.
  const proxy = await startCuttingProxy(6_000);
  const reader = await createReader(owner, server.id, proxy.url);
  const gateway = reader.gateway({ presence: "none", backoff: { baseMs: 1, maxMs: 20 } });
  const received: string[] = [];
  const resyncs: string[] = [];
  gateway.on("MESSAGE_CREATE", ({ id }) => received.push(id));
  gateway.on("resync", ({ reason }) => resyncs.push(reason));
  let sent: string[] = [];
  let isSending = true;
  try {
    await gateway.connect();
    const write = async () => {
      while (isSending) sent.push((await owner.messages.send(channel.id, { content: `message ${sent.length}` })).id);
    };
    const writers = Promise.all([write(), write()]);
    await waitUntil(() => proxy.cuts() >= disconnects, { timeoutMs: timeoutMs - 30_000, what: "the last cut" });
    isSending = false;
    await writers;
    sent = sent.sort();
    await waitUntil(() => received.at(-1) === sent.at(-1), { timeoutMs: 60_000, what: "the last message" });
  } finally {
    isSending = false;
    gateway.close();
    proxy.close();
  }
  process.stdout.write(`${proxy.cuts()} connections cut, ${received.length} events received of ${sent.length}\n`);
  expect(resyncs).toEqual([]);
  expect(received).toEqual(sent);
});
