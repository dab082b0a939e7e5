import { createClient, type ParleyClient } from "@parley/client";
import { type SharedStack, sharedStack, startTcpProxy, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";

/** A cut takes about 0.2 s where two cores run everything; `CLIENT_DISCONNECTS=1000` is the long form. */
const disconnects = Number(process.env.CLIENT_DISCONNECTS ?? 40);
const timeoutMs = 60_000 + disconnects * 500;
let stack: SharedStack;
beforeAll(async () => {
  stack = await sharedStack();
});

/** A way to the edge that is cut after so many bytes from the server, drawn anew for each connection. */
async function startCuttingProxy(bytesMax: number) {
  let cuts = 0;
  let isCutting = true;
  const { port, close } = await startTcpProxy(stack.edgeUrl, () => {
    let left = Math.ceil(Math.random() * bytesMax);
    return {
      toClient(bytes, { client, server }) {
        if (!isCutting || bytes.length < left) {
          left -= bytes.length;
          client.write(bytes);
          return;
        }
        // Also in the middle of a frame.
        isCutting = ++cuts < disconnects;
        client.write(bytes.subarray(0, left), () => client.destroy());
        server.destroy();
      },
    };
  });
  return { url: `http://127.0.0.1:${port}`, cuts: () => cuts, close };
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
    await proxy.close();
  }
  process.stdout.write(`${proxy.cuts()} connections cut, ${received.length} events received of ${sent.length}\n`);
  expect(resyncs).toEqual([]);
  expect(received).toEqual(sent);
});
