import { Message } from "@parley/contracts";
import { connectGateway, type GatewayClient } from "@parley/testing/gateway-client";
import { createPoster } from "../poster.js";
import { createRoom, type Room } from "../world.js";
import { type Neighbourhood, quietAddress } from "./world.js";

/** After this long something counts as lost. */
export const lostAfterMs = 20_000;

/** What the quiet tenant does, again and again. */
export interface Probe {
  /** Resolves when the quiet tenant has what it is due; rejects when it is refused. */
  readonly sample: (n: number) => Promise<void>;
  /** What did not come, came twice or in the wrong order so far; empty when all is well. */
  readonly losses: () => Promise<string[]>;
  readonly close: () => Promise<void>;
}

type Request = (path: string, n: number, body?: { method: string; content: unknown }) => Promise<unknown>;

/** Requests of the quiet tenant's accounts; rejects on any answer but 2xx. */
function requester(world: Neighbourhood, url: string, userId: string): Request {
  const send = createPoster(url);
  return (path, n, body) =>
    send(path, body?.content ?? {}, world.account(userId, quietAddress(n)), body?.method ?? "GET");
}

/** A server with so many members, all connected. */
async function connectRoom(world: Neighbourhood, users: number): Promise<{ room: Room; clients: GatewayClient[] }> {
  const room = await createRoom(world.pool, users);
  const clients = room.userIds.map((userId) => connect(world, userId));
  await Promise.all(clients.map(({ ready }) => ready));
  return { room, clients };
}

function connect(world: Neighbourhood, userId: string): GatewayClient {
  const [path, query = ""] = world.socketPath(userId).split("?");
  return connectGateway(world.gateway.url, "", { path: path ?? "", query });
}

async function closedOnes(clients: readonly GatewayClient[]): Promise<string[]> {
  const codes = await Promise.all(clients.map((client) => Promise.race([client.closed, Promise.resolve(null)])));
  return codes.flatMap((close) => (close === null ? [] : [`a connection was closed with ${close.code}`]));
}

function endAll(clients: readonly GatewayClient[]): Promise<void> {
  for (const client of clients) client.terminate();
  return Promise.resolve();
}

/** GET of something of one's own. */
export async function requestProbe(
  world: Neighbourhood,
  { path = "/users/@me", url = world.api.url }: { path?: string; url?: string } = {},
): Promise<Probe> {
  const { userIds } = await createRoom(world.pool, 1);
  const send = requester(world, url, userIds[0] ?? "");
  return {
    sample: async (n) => {
      await send(path, n);
    },
    losses: async () => [],
    close: async () => undefined,
  };
}

/** POST message until it has come to another member; in the end every message has come once, in the order of history. */
export async function messageProbe(world: Neighbourhood): Promise<Probe> {
  const { room, clients } = await connectRoom(world, 2);
  const reader = clients[1];
  const send = requester(world, world.api.url, room.userIds[0] ?? "");
  const posted = new Set<string>();
  return {
    sample: async (n) => {
      const content = { content: `quiet ${n}` };
      const answer = await send(`/channels/${room.channelId}/messages`, n, { method: "POST", content });
      const { id } = Message.parse(answer);
      posted.add(id);
      await reader?.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: lostAfterMs });
    },
    losses: async () => {
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
        ...(await closedOnes(clients)),
      ];
    },
    close: () => endAll(clients),
  };
}

/** HEARTBEAT until its ack, on connections of several members in turns: one may send 20 messages a second. */
export async function heartbeatProbe(world: Neighbourhood): Promise<Probe> {
  const { clients } = await connectRoom(world, 4);
  return {
    sample: async (n) => clients[n % clients.length]?.heartbeat(),
    losses: () => closedOnes(clients),
    close: () => endAll(clients),
  };
}

/** A connect until READY. */
export async function readyProbe(world: Neighbourhood): Promise<Probe> {
  const room = await createRoom(world.pool, 20);
  return {
    sample: async (n) => {
      const client = connect(world, room.userIds[n % room.userIds.length] ?? "");
      await client.ready.finally(() => client.terminate());
    },
    losses: async () => [],
    close: async () => undefined,
  };
}

/** A change of one's status until a co-member has it. */
export async function presenceProbe(world: Neighbourhood): Promise<Probe> {
  const { clients } = await connectRoom(world, 2);
  const [changing, watching] = clients;
  return {
    sample: async (n) => {
      const custom_status = `quiet ${n} ${performance.now()}`;
      changing?.send("PRESENCE_UPDATE", { status: "away", custom_status });
      await watching?.waitFor("PRESENCE_UPDATE", (presence) => presence.custom_status === custom_status, {
        timeoutMs: lostAfterMs,
      });
    },
    losses: () => closedOnes(clients),
    close: () => endAll(clients),
  };
}

/** A forbidden message until it is refused; one that is stored has escaped the filter. */
export async function verdictProbe(world: Neighbourhood): Promise<Probe> {
  const room = await createRoom(world.pool, 1);
  const send = requester(world, world.api.url, room.userIds[0] ?? "");
  const path = `/servers/${room.serverId}/automod`;
  await send(path, 0, { method: "PATCH", content: { enabled: true, word_filter_enabled: true } });
  await send(`${path}/words`, 1, { method: "POST", content: { word: "forbidden" } });
  return {
    sample: async (n) => {
      const content = { content: `this is forbidden ${n}` };
      const isRefused = await send(`/channels/${room.channelId}/messages`, n, { method: "POST", content }).then(
        () => false,
        (error: Error) => error.message.includes(" answered 403") || Promise.reject(error),
      );
      if (!isRefused) throw new Error("a forbidden message was stored");
    },
    losses: async () => [],
    close: async () => undefined,
  };
}
