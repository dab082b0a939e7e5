import type { EventPayload, Routing } from "@parley/contracts";
import { defineStatement, mentionCount, mentionsGroup, storeGroupMentions, unreadCount } from "@parley/database";
import { waitUntil } from "@parley/testing";
import { z } from "zod";
import {
  createRows,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  type ReceivedFrame,
  type TestClient,
} from "../gateway-fixture.js";
import { startServers } from "../servers-fixture.js";

const storeGroups = defineStatement({
  name: "fixture_group_mentions",
  text: storeGroupMentions(`(SELECT * FROM messages WHERE id = $1 AND ${mentionsGroup("messages")})`),
});

const mark = { channel: "c.id", mark: "greatest(r.last_read_at, m.joined_at)", user: "m.user_id" };
/** The unread messages of the members of a server's channels. */
export const unreadStatement = defineStatement({
  name: "fixture_unread",
  text: `SELECT c.id AS channel_id, m.user_id, ${unreadCount(mark)}::integer AS unread, ${mentionCount(mark)}::integer AS mentions
    FROM channels c JOIN members m ON m.server_id = c.server_id
    LEFT JOIN read_states r ON r.channel_id = c.id AND r.user_id = m.user_id
    WHERE c.server_id = $1`,
  row: z.object({ channel_id: z.string(), user_id: z.string(), unread: z.int(), mentions: z.int() }),
});

/** Optional columns of a message. */
type Draft = Partial<EventPayload<"MESSAGE_CREATE">>;

/** Two nodes that look often how large servers are. By default those with more than three connected members are passive. */
export async function startPassiveStage(passiveRule = { above: 3, below: 2 }) {
  const servers = await startServers();
  const options = { passiveRule, passiveIntervalMs: 50 };
  const nodes = [await servers.startNode(options), await servers.startNode(options)] as const;
  const [{ database, messaging }] = nodes;
  const rows = createRows(database);

  /** Stores a message and publishes its event, as the api does. */
  async function post(
    place: { server_id: string; channel_id: string },
    content: string,
    draft: Draft = {},
    routing: Routing = {},
  ) {
    const sent = { ...messageOf(place.channel_id, content), ...draft };
    const { author_id, mention_user_ids, mention_everyone, thread_id } = sent;
    const { mention_role_ids = [], mention_here = false } = sent;
    const groups = { mention_role_ids, mention_here };
    const { id, created_at } = await database.prisma.message.create({
      data: { ...place, author_id, content, mention_user_ids, mention_everyone, ...groups, thread_id },
    });
    await database.execute(storeGroups, [id]);
    const message = { ...sent, id, created_at: created_at.toISOString() };
    await publish(messaging, thread_id === null ? "MESSAGE_CREATE" : "THREAD_MESSAGE_CREATE", place, message, routing);
    return message;
  }

  return {
    nodes,
    database,
    rows,
    post,
    /** A server with so many members, owned by the first, and channels. */
    async place({ members = 5, channels = 3 } = {}) {
      const users = await Promise.all(Array.from({ length: members }, () => rows.user()));
      const [ownerId = "", ...others] = users;
      const server_id = await rows.server(ownerId, others);
      const channelIds = await Promise.all(Array.from({ length: channels }, () => rows.channel(server_id)));
      return { users, server_id, places: channelIds.map((channel_id) => ({ server_id, channel_id })) };
    },
    async remove(place: { server_id: string; channel_id: string }, id: string) {
      await database.prisma.message.update({ where: { id }, data: { deleted: true } });
      await publish(messaging, "MESSAGE_DELETE", place, { id, channel_id: place.channel_id });
    },
    /** Moves a user's mark, forward or back. */
    async ack(
      userId: string,
      { server_id, channel_id }: { server_id: string; channel_id: string },
      last_read_at = new Date(),
    ) {
      const update = { last_read_at };
      const create = { user_id: userId, channel_id, last_read_at };
      await database.prisma.readState.upsert({
        where: { user_id_channel_id: { user_id: userId, channel_id } },
        update,
        create,
      });
      const counted = await database.query(unreadStatement, [server_id]);
      const { unread = 0, mentions = 0 } =
        counted.find((one) => one.user_id === userId && one.channel_id === channel_id) ?? {};
      const counts = { unread_count: unread, mention_count: mentions };
      const payload = { channel_id, last_read_at: last_read_at.toISOString(), ...counts };
      await publish(messaging, "READ_STATE_UPDATE", { user_id: userId }, payload);
    },
    /** Members who have read the channels, left, were away for some messages, and have joined again. */
    async comeBack(userIds: readonly string[], places: readonly { server_id: string; channel_id: string }[]) {
      const last_read_at = new Date("2020-01-01T00:00:00.000Z");
      await database.prisma.readState.createMany({
        data: userIds.flatMap((user_id) => places.map(({ channel_id }) => ({ user_id, channel_id, last_read_at }))),
      });
      await database.prisma.message.createMany({
        data: places.map((place) => ({ ...place, content: "missed", mention_everyone: true })),
      });
      const server_id = { in: places.map((place) => place.server_id) };
      await database.prisma.member.updateMany({ where: { server_id }, data: { joined_at: new Date() } });
    },
    stop: servers.stop,
  };
}

export type PassiveStage = Awaited<ReturnType<typeof startPassiveStage>>;

/** Connects as a client that shows channels, and waits for the first frame. */
export async function connectView(node: GatewayFixture, userId: string, { view = "on", s = "", query = "" } = {}) {
  const token = node.accessTokens.issue({ userId });
  const client = openClient(node, `v=2&view=${view}&s=${encodeURIComponent(s)}&token=${token}${query}`);
  const first = await waitUntil(() => client.frames.find(({ t }) => t === "READY" || t === "RESUMED"), {
    what: "the first frame",
  });
  return { client, first };
}

/** Resolves when a client's newest frame names exactly these servers as passive. */
export const untilPassive = ({ frames }: TestClient, ...serverIds: string[]): Promise<unknown> =>
  waitUntil(
    () => {
      const told = frames.findLast(({ t, d }) => t === "VIEW_ACK" || (d !== null && "passive" in d));
      return JSON.stringify(told?.d.passive) === JSON.stringify(serverIds);
    },
    { what: "the passive servers" },
  );

/** Shows channels, and waits for the answer. */
export async function view(client: TestClient, ...channel_ids: string[]): Promise<ReceivedFrame | undefined> {
  const from = client.frames.length;
  client.send({ op: "VIEW", d: { channel_ids } });
  const isAnswer = ({ t, d }: ReceivedFrame) =>
    t === "VIEW_ACK" && JSON.stringify(d.channel_ids) === JSON.stringify(channel_ids);
  return waitUntil(() => client.frames.slice(from).find(isAnswer), { what: "VIEW_ACK" });
}

/** The messages and other events that a client got, in order: contents of messages, names of the other events. */
export const gotOf = ({ frames }: TestClient): unknown[] =>
  frames.flatMap(({ t, d }) =>
    t === null || ["READY", "RESUMED", "PRESENCE_UPDATE", "VIEW_ACK"].includes(t) ? [] : [d.content ?? t],
  );

/** The last CHANNEL_ACTIVITY of a channel that a client got. */
export function activityOf({ frames }: TestClient, channelId: string) {
  const told = frames.flatMap(({ t, d }) => (t === "CHANNEL_ACTIVITY" && Array.isArray(d.channels) ? d.channels : []));
  return told.findLast(({ channel_id }) => channel_id === channelId);
}

/** A server whose members are connected to both nodes in turn and show nothing, and which is passive for all of them. */
export async function passiveScene(stage: PassiveStage) {
  const place = await stage.place();
  const clients: TestClient[] = [];
  for (const [index, userId] of place.users.entries()) {
    const { client } = await connectView(stage.nodes[index % 2 === 0 ? 0 : 1], userId);
    clients.push(client);
  }
  await Promise.all(clients.map((client) => untilPassive(client, place.server_id)));
  const [general, other] = place.places;
  if (general === undefined || other === undefined) throw new Error("no channels");
  return { ...place, clients, general, other, close: () => Promise.all(clients.map((client) => client.close())) };
}

/** Resolves when a client has everything that was published before: something that reaches it in any case. */
export async function settled(stage: PassiveStage, place: { server_id: string }, ...clients: TestClient[]) {
  const [{ messaging }] = stage.nodes;
  const [channel_id = ""] = [await stage.rows.channel(place.server_id)];
  const channel = await stage.database.prisma.channel.findUniqueOrThrow({ where: { id: channel_id } });
  await publish(
    messaging,
    "MEMBER_TIMEOUT_REMOVE",
    { server_id: place.server_id },
    { server_id: place.server_id, user_id: channel.id },
  );
  await Promise.all(clients.map((client) => client.receive("MEMBER_TIMEOUT_REMOVE", (d) => d.user_id === channel.id)));
}
