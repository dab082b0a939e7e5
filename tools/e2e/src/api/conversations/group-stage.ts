import { DmChannel, GroupChannel } from "@parley/contracts";
import {
  createClient,
  type GatewayClient,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { createConnections } from "../stages/connection-stage.js";

/** Users for groups, and their connections. */
export interface GroupStage {
  readonly stack: SharedStack;
  readonly client: RestClient;
  /** A person through one of the two apis. */
  readonly at: (api: 0 | 1, person: UserClient) => RestClient;
  readonly people: (count: number) => Promise<UserClient[]>;
  readonly open: (by: RestClient, others: readonly UserClient[], name?: string) => Promise<GroupChannel>;
  readonly connect: (person: UserClient, query: string, gateway?: 0 | 1) => Promise<GatewayClient>;
  /** Resolves when a connection has every earlier event to its user. */
  readonly caughtUp: (person: UserClient, connections: readonly GatewayClient[]) => Promise<void>;
  readonly stop: () => void;
}

export async function startGroupStage(): Promise<GroupStage> {
  const stack = await sharedStack();
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const connections = createConnections(stack);
  const friend = await client.register();
  return {
    stack,
    client,
    at: (api, { accessToken }) => createClient(stack.apis[api]?.url ?? "", { authorization: `Bearer ${accessToken}` }),
    people: (count) => Promise.all(Array.from({ length: count }, () => client.register())),
    open: async (by, others, name) =>
      (await by.post("/dm-channels", { user_ids: others.map(({ user }) => user.id), name })).expect(
        201,
        GroupChannel.strict(),
      ),
    connect: ({ accessToken }, query, gateway = 0) => connections.open(accessToken, gateway, query),
    async caughtUp(person, sockets) {
      const { id } = (await person.post("/dm-channels", { user_id: friend.user.id })).expect(201, DmChannel);
      await Promise.all(sockets.map((socket) => socket.waitFor("DM_CHANNEL_CREATE", (channel) => channel.id === id)));
    },
    stop: () => connections.closeAll(),
  };
}
