import { createServer, type ServerResponse } from "node:http";
import { webhooksPerServerMax } from "@parley/contracts";
import { createPoster } from "../../poster.js";
import { createRoom } from "../../world.js";
import { lostAfterMs, type Probe } from "../probe.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertBots, type Neighbourhood, quietAddress } from "../world.js";

/** Four bots post at their rate, which makes 2,000 deliveries a second for receivers that accept and never answer. */
export const webhooks: Scenario = {
  name: "webhooks",
  resource: "webhook queue",
  hostile: "10 webhooks that hang; 4 bots post 50/s each",
  phaseMsMin: 7_000,
  async prepare(world) {
    const room = await createRoom(world.pool, 1);
    const bots = await insertBots(world, room, 4);
    const receiver = await startHangingReceiver();
    await insertWebhooks(world, { serverId: room.serverId, url: receiver.url, count: webhooksPerServerMax });
    const requests = bots.map(({ headers }) => ({
      method: "POST",
      url: `${world.api.url}/channels/${room.channelId}/messages`,
      headers,
      body: '{"content":"hostile"}',
    }));
    return {
      probe: await webhookProbe(world),
      loads: () => {
        receiver.hang();
        return [{ kind: "requests", requests, perSecond: bots.length * allowances.botPerSecond, inFlightMax: 100 }];
      },
      calmDown: async () => receiver.answerAll(),
      close: () => receiver.close(),
    };
  },
};

async function insertWebhooks(
  { pool }: Neighbourhood,
  { serverId, url, count }: { serverId: string; url: string; count: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO webhooks (server_id, created_by, name, url, event_types, secret)
      SELECT id, owner_id, 'bench', $2, '{message.created}', repeat('0', 64) FROM servers, generate_series(1, $3::int)
      WHERE id = $1`,
    [serverId, url, count],
  );
}

/** POST message until its delivery has come. */
async function webhookProbe(world: Neighbourhood): Promise<Probe> {
  const waiting = new Map<string, () => void>();
  const receiver = await listen((body, response) => {
    for (const [text, arrive] of waiting) if (body.includes(text)) arrive();
    response.writeHead(204).end();
  });
  const room = await createRoom(world.pool, 1);
  await insertWebhooks(world, { serverId: room.serverId, url: receiver.url, count: 1 });
  const post = createPoster(world.api.url);
  return {
    sample: async (n) => {
      const text = `quiet ${n} ${performance.now()} end`;
      const arrived = new Promise<void>((resolve, reject) => {
        waiting.set(text, resolve);
        setTimeout(() => reject(new Error(`no delivery in ${lostAfterMs} ms`)), lostAfterMs).unref();
      });
      const headers = world.account(room.userIds[0] ?? "", quietAddress(n));
      await Promise.all([post(`/channels/${room.channelId}/messages`, { content: text }, headers), arrived]);
    },
    losses: async () => [],
    close: () => receiver.close(),
  };
}

/** Accepts deliveries, and leaves them without an answer until it is told to answer all. */
async function startHangingReceiver() {
  const held: ServerResponse[] = [];
  let isHanging = true;
  const answer = (response: ServerResponse) => response.writeHead(204).end();
  const server = await listen((_, response) => {
    if (isHanging) held.push(response);
    else answer(response);
  });
  return {
    ...server,
    hang: () => {
      isHanging = true;
    },
    answerAll: () => {
      isHanging = false;
      for (const response of held.splice(0)) answer(response);
    },
  };
}

async function listen(onDelivery: (body: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => onDelivery(body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
