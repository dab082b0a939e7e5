import { DmChannel, DmMessage, type EventName, errorBody } from "@parley/contracts";
import {
  type Answer,
  connectGateway,
  createClient,
  type GatewayClient,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { expect } from "vitest";

/** Two who write to each other, each with a connection on either gateway, and somebody else. */
export interface DirectStage {
  readonly stack: SharedStack;
  readonly client: RestClient;
  readonly ann: UserClient;
  readonly bob: UserClient;
  readonly eve: UserClient;
  readonly channelId: string;
  readonly path: string;
  readonly send: (by: UserClient, content: string, replyTo?: string) => Promise<DmMessage>;
  readonly history: (by?: UserClient, query?: string) => Promise<DmMessage[]>;
  /**
   * Waits until all connections of both have an event with these fields; returns the events of each since the last
   * call.
   */
  readonly heard: (last: EventName, fields: Readonly<Record<string, unknown>>) => Promise<[string, unknown][]>;
  readonly stop: () => void;
}

export async function startDirectStage(): Promise<DirectStage> {
  const stack = await sharedStack();
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const [ann, bob, eve] = [await client.register(), await client.register(), await client.register()];
  const { id: channelId } = (await ann.post("/dm-channels", { user_id: bob.user.id })).expect(201, DmChannel);
  const path = `/dm-channels/${channelId}/messages`;
  const sockets: GatewayClient[] = [ann, bob].flatMap(({ accessToken }) =>
    stack.gateways.map(({ url }) => connectGateway(url, accessToken)),
  );
  await Promise.all(sockets.map(({ ready }) => ready));
  const marks = new Map(sockets.map((socket) => [socket, socket.mark()]));

  return {
    stack,
    client,
    ann,
    bob,
    eve,
    channelId,
    path,
    send: async (by, content, reply_to) =>
      (await by.post(path, { content, ...(reply_to === undefined ? {} : { reply_to }) })).expect(
        201,
        DmMessage.strict(),
      ),
    history: async (by = bob, query = "") => (await by.get(`${path}${query}`)).expect(200, DmMessage.strict().array()),
    async heard(last, fields) {
      const isLast = (payload: object) =>
        Object.entries(fields).every(([key, value]) => Object(payload)[key] === value);
      const lists = await Promise.all(
        sockets.map(async (socket) => {
          const since = marks.get(socket) ?? 0;
          await socket.waitFor(last, isLast, { since });
          marks.set(socket, socket.mark());
          return socket.events
            .slice(since)
            .flatMap(({ name, payload }): [string, unknown][] => (name === "PRESENCE_UPDATE" ? [] : [[name, payload]]));
        }),
      );
      const [first = [], ...others] = lists;
      for (const list of others) expect(list).toEqual(first);
      return first;
    },
    stop() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Checks an error that was answered. */
export function expectError({ status, body }: Answer, expected: number, text: string): void {
  expect([status, body]).toEqual([expected, errorBody(text)]);
}
