import { text } from "node:stream/consumers";
import { Message } from "@parley/contracts";
import type { GatewayClient } from "@parley/testing/gateway-client";
import { createPoster } from "../poster.js";
import { startReceiver } from "../receiver.js";
import { createRoom, insertWebhooks, type Room } from "../world.js";
import type { Neighbourhood } from "./world.js";

/** After this long something counts as lost. */
export const lostAfterMs = 20_000;

/** The repeated work of the quiet tenant. */
export interface Probe {
  /** Resolves when the quiet tenant has its due result; rejects when it is refused. */
  readonly sample: (n: number) => Promise<unknown>;
  /** Events that did not come, came twice or in the wrong order so far; empty when all is well. */
  readonly losses?: () => Promise<string[]>;
  readonly close?: () => void | Promise<void>;
}

/** Requests of an account of the quiet tenant; they reject on any answer but 2xx. */
function requester(world: Neighbourhood, { userIds: [userId = ""] }: Room, url = world.api.url) {
  const send = createPoster(url);
  return (n: number, call: string, body: unknown = {}) => {
    const [method, path = ""] = call.split(" ");
    return send(path, body, world.quietHeaders(userId, n), method);
  };
}

/** A server with so many members, all connected; the close of one of them is a loss of the probe. */
async function connectRoom(world: Neighbourhood, users: number) {
  const room = await createRoom(world.pool, users);
  const clients: GatewayClient[] = room.userIds.map((userId) => world.connect(userId));
  await Promise.all(clients.map(({ ready }) => ready));
  return {
    room,
    clients,
    async losses() {
      const ends = await Promise.all(clients.map(({ closed }) => Promise.race([closed, Promise.resolve(null)])));
      return ends.flatMap((end) => (end === null ? [] : [`a connection was closed with ${end.code}`]));
    },
    close() {
      for (const client of clients) client.terminate();
    },
  };
}

/** GET of something of one's own. */
export async function requestProbe(world: Neighbourhood, { path = "/users/@me", url = world.api.url } = {}) {
  const send = requester(world, await createRoom(world.pool, 1), url);
  return { sample: (n: number) => send(n, `GET ${path}`) } satisfies Probe;
}

/** POST message until it has come to another member; in the end every message has come once, in the order of history. */
export async function messageProbe(world: Neighbourhood): Promise<Probe> {
  const { room, clients, losses, close } = await connectRoom(world, 2);
  const reader = clients[1];
  const send = requester(world, room);
  const posted = new Set<string>();
  return {
    async sample(n) {
      const { id } = Message.parse(
        await send(n, `POST /channels/${room.channelId}/messages`, { content: `quiet ${n}` }),
      );
      posted.add(id);
      await reader?.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: lostAfterMs });
    },
    async losses() {
      const received = (reader?.events ?? []).flatMap(({ name, payload }) =>
        name === "MESSAGE_CREATE" ? [Message.parse(payload).id] : [],
      );
      const missing = [...posted].filter((id) => !received.includes(id)).map((id) => `message ${id} did not come`);
      const twice = received.length - new Set(received).size;
      const isInOrder = received.every((id, index) => index === 0 || (received[index - 1] ?? "") <= id);
      return [
        ...missing,
        ...(twice > 0 ? [`${twice} messages came twice`] : []),
        ...(isInOrder ? [] : ["messages came out of order"]),
        ...(await losses()),
      ];
    },
    close,
  };
}

/** HEARTBEAT until its ack, on connections of several members in turns: one may send 20 messages a second. */
export async function heartbeatProbe(world: Neighbourhood): Promise<Probe> {
  const { clients, losses, close } = await connectRoom(world, 4);
  return { sample: async (n) => clients[n % clients.length]?.heartbeat(), losses, close };
}

/** A connect until READY. */
export async function readyProbe(world: Neighbourhood): Promise<Probe> {
  const { userIds } = await createRoom(world.pool, 20);
  return {
    async sample(n) {
      const client = world.connect(userIds[n % userIds.length] ?? "");
      await client.ready.finally(() => client.terminate());
    },
  };
}

/** A change of one's status until a co-member has it. */
export async function presenceProbe(world: Neighbourhood): Promise<Probe> {
  const { clients, losses, close } = await connectRoom(world, 2);
  const [changing, watching] = clients;
  return {
    async sample(n) {
      const custom_status = `quiet ${n} ${performance.now()}`;
      changing?.send("PRESENCE_UPDATE", { status: "away", custom_status });
      await watching?.waitFor("PRESENCE_UPDATE", (presence) => presence.custom_status === custom_status, {
        timeoutMs: lostAfterMs,
      });
    },
    losses,
    close,
  };
}

/** A forbidden message until it is refused; one that is stored has escaped the filter. */
export async function verdictProbe(world: Neighbourhood): Promise<Probe> {
  const room = await createRoom(world.pool, 1);
  const send = requester(world, room);
  const path = `/servers/${room.serverId}/automod`;
  await send(0, `PATCH ${path}`, { enabled: true, word_filter_enabled: true });
  await send(1, `POST ${path}/words`, { word: "forbidden" });
  return {
    async sample(n) {
      const content = `this is forbidden ${n}`;
      const isRefused = await send(n, `POST /channels/${room.channelId}/messages`, { content }).then(
        () => false,
        (error: Error) => error.message.includes(" answered 403") || Promise.reject(error),
      );
      if (!isRefused) throw new Error("a forbidden message was stored");
    },
  };
}

/** POST message until its delivery has come. */
export async function webhookProbe(world: Neighbourhood): Promise<Probe> {
  const waiting = new Map<string, () => void>();
  const receiver = await startReceiver(async (request, response) => {
    const body = await text(request);
    for (const [content, arrive] of waiting) if (body.includes(content)) arrive();
    response.writeHead(204).end();
  });
  const room = await createRoom(world.pool, 1);
  await insertWebhooks(world.pool, room.serverId, receiver.url, 1);
  const send = requester(world, room);
  return {
    async sample(n) {
      const content = `quiet ${n} ${performance.now()} end`;
      const arrived = new Promise<void>((resolve, reject) => {
        waiting.set(content, resolve);
        setTimeout(() => reject(new Error(`no delivery in ${lostAfterMs} ms`)), lostAfterMs).unref();
      });
      await Promise.all([send(n, `POST /channels/${room.channelId}/messages`, { content }), arrived]);
    },
    close: receiver.close,
  };
}
