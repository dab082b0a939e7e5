import { deepStrictEqual } from "node:assert";
import type { EventName } from "@parley/contracts";
import { connectGateway, type GatewayClient, type ReceivedEvent } from "./gateway-client.js";
import type { UserClient } from "./rest-client.js";
import type { SharedStack } from "./shared-stack.js";
import { waitUntil } from "./wait-until.js";

/**
 * Connections on every gateway, of users who are to get a server's events and no others, and of users who are to get
 * none.
 */
export interface Witnesses {
  /**
   * Passes when every insider got exactly these events since the last call, in this order and with exactly these
   * payloads, and no outsider got any. The last one proves that nothing else came before it. Presence is passed over.
   */
  readonly expectEvents: (...expected: readonly [EventName, unknown][]) => Promise<void>;
  readonly close: () => void;
}

/** Connects each user to each gateway of the stack; resolves when all are READY. */
export async function connectWitnesses(
  stack: SharedStack,
  { insiders, outsiders = [] }: { insiders: readonly UserClient[]; outsiders?: readonly UserClient[] },
): Promise<Witnesses> {
  const onEveryGateway = (users: readonly UserClient[]) =>
    users.flatMap((user) => stack.gateways.map(({ url }) => connectGateway(url, user.accessToken)));
  const inside = onEveryGateway(insiders);
  const outside = onEveryGateway(outsiders);
  await Promise.all([...inside, ...outside].map((client) => client.ready));
  let seen = 0;
  return {
    expectEvents: async (...expected) => {
      const wanted = expected.map(([name, payload]): ReceivedEvent => ({ name, payload }));
      for (const client of inside) {
        const arrived = () => eventsOf(client).slice(seen);
        await waitUntil(() => arrived().length >= wanted.length).catch(() => undefined);
        deepStrictEqual(arrived(), wanted);
      }
      seen += wanted.length;
      // Events that the insiders of a gateway have are past its fan-out; the heartbeat flushes any events for
      // outsiders.
      await Promise.all(outside.map((client) => client.heartbeat()));
      for (const client of outside) deepStrictEqual(eventsOf(client), []);
    },
    close: () => {
      for (const client of [...inside, ...outside]) client.terminate();
    },
  };
}

function eventsOf(client: GatewayClient): ReceivedEvent[] {
  return client.events.filter(({ name }) => name !== "PRESENCE_UPDATE");
}
