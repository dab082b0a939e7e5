import { isDeepStrictEqual } from "node:util";
import {
  type Channel,
  type EventName,
  type EventPayload,
  type PermissionName,
  permissionBits,
} from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { expect } from "vitest";

/** A channel that not everybody may view, and everybody who matters connected: the scene of tests of channel events. */
export interface ChannelStage {
  readonly stack: SharedStack;
  readonly client: RestClient;
  readonly serverId: string;
  /** Hidden from `hidden`; `silenced` may only view it. */
  readonly channel: Channel;
  /** Open to every member. */
  readonly openChannel: Channel;
  readonly owner: UserClient;
  readonly member: UserClient;
  readonly silenced: UserClient;
  readonly hidden: UserClient;
  /** No member of the server. */
  readonly stranger: UserClient;
  /** The owner and the member, each on both gateways. */
  readonly insiders: readonly GatewayClient[];
  /** The hidden member and the stranger, each on both gateways. */
  readonly outsiders: readonly GatewayClient[];
  /** The connections of members of the server. */
  readonly audience: readonly GatewayClient[];
}

export async function startChannelStage(): Promise<ChannelStage> {
  const stack = await sharedStack();
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const { server, channel, owner, members } = await createServerWithMembers(client, 3);
  const [member, silenced, hidden] = members;
  const openChannel = await createChannel(owner, server.id, { name: "open" });
  const stranger = await client.register();
  await deny(owner, channel.id, { userId: hidden.user.id, permissions: ["VIEW_CHANNEL"] });
  await deny(owner, channel.id, { userId: silenced.user.id, permissions: ["SEND_MESSAGES", "ADD_REACTIONS"] });
  const connect = async (user: UserClient) => {
    const own = stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
    await Promise.all(own.map(({ ready }) => ready));
    return own;
  };
  const insiders = [...(await connect(owner)), ...(await connect(member))];
  const hiddenSockets = await connect(hidden);
  const outsiders = [...hiddenSockets, ...(await connect(stranger))];
  const people = { owner, member, silenced, hidden, stranger };
  const audience = [...insiders, ...hiddenSockets];
  return { stack, client, serverId: server.id, channel, openChannel, ...people, insiders, outsiders, audience };
}

/** Takes permissions away from one member in one channel. */
export async function deny(
  owner: UserClient,
  channelId: string,
  { userId, permissions }: { userId: string; permissions: readonly PermissionName[] },
): Promise<void> {
  const bits = permissions.reduce((sum, name) => sum | permissionBits[name], 0);
  const answer = await owner.put(`/channels/${channelId}/overrides`, { user_id: userId, allow: 0, deny: bits });
  expect(answer.status).toBe(200);
}

/** Resolves when all earlier events of the server have arrived at everybody who gets them. */
export async function passBarrier({ owner, openChannel, audience }: ChannelStage): Promise<void> {
  const barrier = await postMessage(owner, openChannel.id, "barrier");
  await Promise.all(audience.map((socket) => socket.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id)));
}

/** The payload reached every insider exactly once, and no outsider ever got anything about the channel. */
export async function expectForInsiders<Name extends EventName>(
  stage: ChannelStage,
  name: Name,
  expected: EventPayload<Name>,
): Promise<void> {
  const matches = (payload: unknown) => isDeepStrictEqual(payload, expected);
  await Promise.all(stage.insiders.map((socket) => socket.waitFor(name, matches)));
  await passBarrier(stage);
  for (const socket of stage.insiders) {
    expect(socket.events.filter((event) => event.name === name && matches(event.payload))).toHaveLength(1);
  }
  for (const socket of stage.outsiders) {
    const { channel } = stage;
    expect(socket.events.filter(({ payload }) => Object(payload).channel_id === channel.id)).toEqual([]);
  }
}

/** Fails if `action` causes an event of that name for anybody. */
export async function expectNoEvent(stage: ChannelStage, name: EventName, action: () => Promise<unknown>) {
  await passBarrier(stage);
  const marks = stage.audience.map((socket) => socket.mark());
  await action();
  await passBarrier(stage);
  for (const [index, socket] of stage.audience.entries()) {
    expect(socket.events.slice(marks[index]).filter((event) => event.name === name)).toEqual([]);
  }
}
