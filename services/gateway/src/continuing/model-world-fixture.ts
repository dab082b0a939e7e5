import { permissionBits } from "@parley/contracts";
import { createRows, type GatewayFixture, messageOf, publish } from "../gateway-fixture.js";
import type { ModelClient } from "./model-clients-fixture.js";

export interface Place {
  server_id: string;
  channel_id: string;
  /** Hidden from those who have it. */
  roleId: string | null;
}

interface Message {
  /** The server, or the user of a direct message. */
  lane: string;
  recipients: ReadonlySet<string>;
}

/** A user's client that never disconnects, and the one that is compared with it. */
export interface ModelPair {
  userId: string;
  oracle: ModelClient;
  client: ModelClient;
}

export type ModelWorld = Awaited<ReturnType<typeof createModelWorld>>;

const { VIEW_CHANNEL } = permissionBits;

/**
 * Users and servers with two channels each, one of which a role hides. Numbers every message, and knows who is to get
 * it.
 */
export async function createModelWorld(
  { database, messaging }: GatewayFixture,
  sizes: { users: number; servers: number },
  random: () => number,
) {
  const rows = createRows(database);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[Math.floor(random() * list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const userIds: string[] = [];
  for (let count = 0; count < sizes.users; count++) userIds.push(await rows.user());
  const ownerId = await rows.user();
  const places: Place[] = [];
  const members = new Map<string, Set<string>>();
  for (let count = 0; count < sizes.servers; count++) {
    const chosen = userIds.filter(() => random() < 0.7);
    const server_id = await rows.server(ownerId, chosen);
    members.set(server_id, new Set(chosen));
    places.push({ server_id, channel_id: await rows.channel(server_id), roleId: null });
    const [channel_id, roleId] = [await rows.channel(server_id), await rows.role(server_id)];
    await rows.override(channel_id, { role_id: roleId }, { deny: VIEW_CHANNEL });
    places.push({ server_id, channel_id, roleId });
  }
  /** Ids of the overrides that hide a channel from a user, by both. */
  const overrides = new Map<string, string>();
  /** Who has the role that hides a channel, by role and user. */
  const holders = new Set<string>();
  /** By number, from 1. */
  const messages: Message[] = [{ lane: "", recipients: new Set() }];
  /** Messages of which it is open whether the user gets them, because what they may see changed before all had them. */
  const open = new Map<string, Set<number>>(userIds.map((userId) => [userId, new Set()]));
  const channelOf = new Map<number, string>();

  function maySee({ server_id, channel_id, roleId }: Place, userId: string): boolean {
    if (members.get(server_id)?.has(userId) !== true || overrides.has(`${channel_id} ${userId}`)) return false;
    return roleId === null || !holders.has(`${roleId} ${userId}`);
  }

  function number(lane: string, recipients: Iterable<string>): number {
    return messages.push({ lane, recipients: new Set(recipients) }) - 1;
  }

  /** Called before a change of what a user may see of a channel. */
  function leaveOpen(channelId: string, { userId, oracle, client }: ModelPair): void {
    for (const [sequence, ofChannel] of channelOf) {
      if (ofChannel !== channelId || (oracle.has(sequence) && client.has(sequence))) continue;
      open.get(userId)?.add(sequence);
    }
  }

  const isDue = (sequence: number, lane: string, userId: string) => {
    const message = messages[sequence];
    return message?.lane === lane && message.recipients.has(userId) && open.get(userId)?.has(sequence) === false;
  };

  return {
    userIds,
    pick,
    places: () => places,
    lanes: () => [...members.keys(), ...userIds],
    posted: () => messages.length - 1,

    async post(place: Place) {
      const recipients = new Set(userIds.filter((userId) => maySee(place, userId)));
      const posted = number(place.server_id, recipients);
      channelOf.set(posted, place.channel_id);
      const { server_id, channel_id } = place;
      await publish(messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, `${posted}`));
      return { number: posted, recipients };
    },
    async sendDm(user_id: string) {
      const content = `${number(user_id, [user_id])}`;
      const payload = { id: user_id, channel_id: user_id, author_id: null, content, edited_at: null };
      const created_at = new Date().toISOString();
      await publish(messaging, "DM_MESSAGE_CREATE", { user_id }, { ...payload, created_at });
    },
    async changeMembership(server_id: string, user_id: string) {
      const isMember = members.get(server_id)?.delete(user_id) === true;
      if (isMember) await rows.endMember(server_id, user_id);
      else await rows.member(server_id, user_id);
      if (!isMember) members.get(server_id)?.add(user_id);
      for (const place of places) if (place.server_id === server_id) holders.delete(`${place.roleId} ${user_id}`);
      const name = isMember ? "SERVER_LEFT" : "SERVER_JOINED";
      await publish(messaging, name, { user_id }, { server_id, user_id });
    },
    /** Hides a channel from a user, or shows it again. */
    async changeOverride({ server_id, channel_id }: Place, pair: ModelPair) {
      leaveOpen(channel_id, pair);
      const key = `${channel_id} ${pair.userId}`;
      const override_id = overrides.get(key);
      if (override_id === undefined) {
        const override = await rows.override(channel_id, { user_id: pair.userId }, { deny: VIEW_CHANNEL });
        overrides.set(key, override.id);
        await publish(messaging, "CHANNEL_OVERRIDE_UPDATE", { server_id }, override);
      } else {
        overrides.delete(key);
        await database.prisma.channelOverride.delete({ where: { id: override_id } });
        await publish(messaging, "CHANNEL_OVERRIDE_DELETE", { server_id }, { channel_id, override_id });
      }
    },
    /** Gives a member the role that hides a channel, or takes it away. */
    async changeRole({ server_id, channel_id, roleId: role_id }: Place, pair: ModelPair) {
      const user_id = pair.userId;
      if (role_id === null || members.get(server_id)?.has(user_id) !== true) return;
      leaveOpen(channel_id, pair);
      const isHolder = holders.delete(`${role_id} ${user_id}`);
      const key = { server_id_user_id_role_id: { server_id, user_id, role_id } };
      if (isHolder) await database.prisma.memberRole.delete({ where: key });
      else await rows.giveRole(server_id, user_id, role_id);
      if (!isHolder) holders.add(`${role_id} ${user_id}`);
      const name = isHolder ? "MEMBER_ROLE_REMOVE" : "MEMBER_ROLE_ADD";
      const role = { role_id, role_name: "hidden", role_color: "#000000" };
      await publish(messaging, name, { server_id }, { server_id, user_id, ...role });
    },
    /** Every node reads the server's permissions again before it passes on what follows in its channels. */
    async reloadRights({ server_id }: Place) {
      await publish(messaging, "ROLE_DELETE", { server_id }, { server_id, role_id: server_id });
    },

    /** Whether both clients of a user have the newest message that is due to them in a server. */
    isSettled(lane: string, { userId, oracle, client }: ModelPair): boolean {
      return [oracle, client].every((one) => {
        for (let sequence = messages.length - 1; sequence > one.readyAt; sequence--) {
          if (isDue(sequence, lane, userId)) return one.has(sequence);
        }
        return true;
      });
    },
    /** What a client saw in a server, and what of it is certain. */
    sawIn(lane: string, { userId }: ModelPair, { seen }: ModelClient) {
      const all = seen.filter((sequence) => messages[sequence]?.lane === lane);
      return { all, certain: all.filter((sequence) => open.get(userId)?.has(sequence) === false) };
    },
  };
}
