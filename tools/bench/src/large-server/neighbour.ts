import { setTimeout as pause } from "node:timers/promises";
import { Message } from "@parley/contracts";
import { connectGateway, type GatewayClient } from "@parley/testing/gateway-client";
import { createRoom } from "../world.js";
import type { LargeServerWorld } from "./world.js";

/** Ascending, from the beginning of each request. */
export interface NeighbourLatencies {
  /** Until its answer. */
  postMs: Float64Array;
  /** Until another member has the message as well. */
  deliveredMs: Float64Array;
}

/** A small server on the nodes of a large one. */
export interface Neighbour {
  /** Sends messages, one after another, until it is over. */
  measure(isOver: () => boolean): Promise<NeighbourLatencies>;
  close(): void;
}

const intervalMs = 100;

/** A server of five members on both gateways, one of whom sends and one reads. */
export async function connectNeighbour(world: LargeServerWorld): Promise<Neighbour> {
  const room = await createRoom(world.pool, 5);
  const clients = room.userIds.map((userId, index) => connectMember(world, userId, index));
  await Promise.all(clients.map(({ ready }) => ready));
  const reader = clients[1];
  return {
    async measure(isOver) {
      const postMs: number[] = [];
      const deliveredMs: number[] = [];
      while (!isOver()) {
        const from = performance.now();
        const { id } = await postMessage(world, room.userIds[0] ?? "", room.channelId, "quiet");
        postMs.push(performance.now() - from);
        await reader?.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: 20_000 });
        deliveredMs.push(performance.now() - from);
        await pause(Math.max(0, intervalMs - (performance.now() - from)));
      }
      return { postMs: Float64Array.from(postMs).sort(), deliveredMs: Float64Array.from(deliveredMs).sort() };
    },
    close() {
      for (const client of clients) client.terminate();
    },
  };
}

/** Connects to one of the gateways. */
export function connectMember(world: LargeServerWorld, userId: string, gateway: number): GatewayClient {
  const [path, query = ""] = world.socketPath(userId).split("?");
  return connectGateway(world.gateways[gateway % 2]?.url ?? "", "", { path: path ?? "", query });
}

export async function postMessage({ call }: LargeServerWorld, userId: string, channelId: string, content: string) {
  return Message.parse(await call(userId, "POST", `/channels/${channelId}/messages`, { content }));
}
