import { type Channel, type EventName, permissionBits } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { expect } from "vitest";
import { createConnections } from "../../stages/connection-stage.js";

/**
 * The people of the scene: an administrator, a member who may view its hidden channel and one who may not, a stranger.
 */
export const people = ["owner", "admin", "viewer", "outsider", "stranger"] as const;
export type Person = (typeof people)[number];

/** Name and payload of an event. */
export type Heard = readonly [EventName, unknown];
type HeardBy = Record<Person, readonly Heard[]>;

/** A server, and its people with connections of either version on both gateways. */
export interface ChangeStage extends Record<Person, UserClient> {
  readonly stack: SharedStack;
  readonly client: RestClient;
  readonly connections: ReturnType<typeof createConnections>;
  readonly serverId: string;
  /** Open to every member. */
  readonly open: Channel;
  /** Hidden from the outsider. */
  readonly hidden: Channel;
  /**
   * The events of each since the last call, by version of the connection; the same on both gateways. It skips presence and
   * what a job sends later, INBOX_UPDATE and NOTIFICATIONS_UPDATE of threads that an author follows, and ends with a message;
   * it waits for an event that may come after that message, and until both gateways have sent what one has.
   *
   * @param awaited the first of these that their connections with v=2 get
   */
  readonly heard: (awaited?: Partial<Record<Person, EventName>>) => Promise<{ v1: HeardBy; v2: HeardBy }>;
}

const skipped = new Set(["PRESENCE_UPDATE", "INBOX_UPDATE", "NOTIFICATIONS_UPDATE"]);

export async function startChangeStage(query = "v=2"): Promise<ChangeStage> {
  const stack = await sharedStack();
  const client = createClient(stack.edgeUrl);
  const { server, channel: open, owner, members } = await createServerWithMembers(client, 3);
  const [admin, viewer, outsider] = members;
  const users = { owner, admin, viewer, outsider, stranger: await client.register() };
  await assignRole(owner, await createRole(owner, server.id, { permissions: permissionBits.ADMINISTRATOR }), admin);
  const hidden = await createChannel(owner, server.id, { name: "hidden" });
  await hideFrom(owner, hidden.id, outsider);

  const connections = createConnections(stack);
  const sockets = await Promise.all(
    people.flatMap((person) =>
      (["v1", "v2"] as const).map(async (version) => {
        const { accessToken } = users[person];
        const parameters = version === "v2" ? query : "";
        const both = [
          await connections.open(accessToken, 0, parameters),
          await connections.open(accessToken, 1, parameters),
        ];
        return { person, version, both };
      }),
    ),
  );
  let seen = new Map<GatewayClient, number>();

  const heard: ChangeStage["heard"] = async (awaited = {}) => {
    for (const { person, version, both } of sockets) {
      const name = version === "v2" ? awaited[person] : undefined;
      if (name === undefined) continue;
      for (const socket of both) await socket.waitFor(name, undefined, { since: seen.get(socket) ?? 0 });
    }
    const barrier = await postMessage(owner, open.id, "barrier");
    const taken: { v1: HeardBy; v2: HeardBy } = { v1: { ...nothing }, v2: { ...nothing } };
    const marks = new Map<GatewayClient, number>();
    for (const { person, version, both } of sockets) {
      for (const socket of both) {
        // Events that the members' connections have are past the fan-out of both gateways.
        if (person === "stranger") await socket.heartbeat();
        else await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id);
      }
      const read = () =>
        both.map((socket) => {
          marks.set(socket, socket.mark());
          return socket.events
            .slice(seen.get(socket) ?? 0)
            .filter(({ name, payload }) => !skipped.has(name) && Object(payload).id !== barrier.id)
            .map(({ name, payload }) => [name, payload]);
        });
      const [first] = await waitUntil(
        () => {
          const lists = read();
          expect(lists[1]).toEqual(lists[0]);
          return lists;
        },
        { what: `the same on both gateways: ${person}, ${version}` },
      );
      taken[version][person] = Object(first);
    }
    seen = marks;
    return taken;
  };
  await heard();
  return { stack, client, connections, serverId: server.id, open, hidden, ...users, heard };
}

/** Nobody has got anything. */
export const nothing: HeardBy = { owner: [], admin: [], viewer: [], outsider: [], stranger: [] };

/** Each of these has got the same. */
export function heardBy(who: readonly Person[], ...events: readonly Heard[]): HeardBy {
  return { ...nothing, ...Object.fromEntries(who.map((person) => [person, events])) };
}

export const everyMember = ["owner", "admin", "viewer", "outsider"] as const;

/** Takes VIEW_CHANNEL away from a member. */
export async function hideFrom(owner: UserClient, channelId: string, { user }: UserClient): Promise<void> {
  const override = { user_id: user.id, allow: 0, deny: permissionBits.VIEW_CHANNEL };
  expect((await owner.put(`/channels/${channelId}/overrides`, override)).status).toBe(200);
}
