import { randomUUID } from "node:crypto";
import { waitUntil } from "@parley/testing";
import { createRows, type GatewayFixture, messageOf, publish } from "../gateway-fixture.js";
import {
  changeAdministrator,
  changeDenial,
  changeHolder,
  changeOverride,
  createPlaceRole,
  type PlaceRole,
  replaceRole,
} from "./model-changes-fixture.js";
import type { ModelClient } from "./model-clients-fixture.js";

export interface Place {
  server_id: string;
  channel_id: string;
  /** The role whose override the channel has. */
  role: PlaceRole | null;
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

/**
 * Users, and servers with two channels each, one with an override of a role. Numbers every message, and records its
 * recipients.
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
    places.push({ server_id, channel_id: await rows.channel(server_id), role: null });
    const channel_id = await rows.channel(server_id);
    places.push({ server_id, channel_id, role: await createPlaceRole(database, { server_id, channel_id }) });
  }
  /** Ids of the overrides that hide a channel from a user, by both. */
  const overrides = new Map<string, string>();
  /** The members with the role of a place, as pairs of role and user. */
  const holders = new Set<string>();
  /** By number, from 1. */
  const messages: Message[] = [{ lane: "", recipients: new Set() }];
  /** Messages that the user may or may not get, because the user's rights changed before every client had them. */
  const open = new Map<string, Set<number>>(userIds.map((userId) => [userId, new Set()]));
  /** Messages that the user's client must never get: their channel was hidden when it asked for them. */
  const lost = new Map<string, Set<number>>(userIds.map((userId) => [userId, new Set()]));
  /**
   * Messages that the user's client may get besides: hidden when posted, in a channel that became visible meanwhile.
   */
  const early = new Map<string, Set<number>>(userIds.map((userId) => [userId, new Set()]));
  const channelOf = new Map<number, string>();

  const holds = (userId: string, role: PlaceRole | null) => role !== null && holders.has(`${role.id} ${userId}`);

  function maySee({ server_id, channel_id, role }: Place, userId: string): boolean {
    if (members.get(server_id)?.has(userId) !== true) return false;
    const ofServer = places.filter((place) => place.server_id === server_id);
    if (ofServer.some((place) => place.role?.isAdministrator === true && holds(userId, place.role))) return true;
    return !overrides.has(`${channel_id} ${userId}`) && !(role?.denies === true && holds(userId, role));
  }

  function number(lane: string, recipients: Iterable<string>): number {
    return messages.push({ lane, recipients: new Set(recipients) }) - 1;
  }

  /**
   * Called before a change of a user's rights in a server. Marks messages as open that a client still lacks. The
   * certain pair is an exception: its oracle has everything before the change, and its client is away.
   */
  function leaveOpen(server_id: string, changed: readonly ModelPair[], certain: ModelPair | null): void {
    for (const { userId, oracle, client } of changed) {
      if (userId === certain?.userId) continue;
      for (const sequence of channelOf.keys()) {
        if (messages[sequence]?.lane !== server_id || (oracle.has(sequence) && client.has(sequence))) continue;
        open.get(userId)?.add(sequence);
      }
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
    /** The server of a message; null for a direct one. */
    serverOf(sequence: number): string | null {
      const lane = messages[sequence]?.lane;
      return lane !== undefined && members.has(lane) ? lane : null;
    },
    serversOf: (userId: string) => [...members].flatMap(([serverId, of]) => (of.has(userId) ? [serverId] : [])),

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
      const payload = { id: user_id, channel_id: user_id, author_id: null, content, edited_at: null, author: null };
      const created_at = new Date().toISOString();
      await publish(messaging, "DM_MESSAGE_CREATE", { user_id }, { ...payload, created_at });
    },
    async changeMembership(server_id: string, user_id: string) {
      const isMember = members.get(server_id)?.delete(user_id) === true;
      if (isMember) await rows.endMember(server_id, user_id);
      else await rows.member(server_id, user_id);
      if (!isMember) members.get(server_id)?.add(user_id);
      for (const place of places) if (place.server_id === server_id) holders.delete(`${place.role?.id} ${user_id}`);
      const name = isMember ? "SERVER_LEFT" : "SERVER_JOINED";
      await publish(messaging, name, { user_id }, { server_id, user_id });
    },
    /**
     * Changes whether users may view a channel: by an override of the user, or by the role of the place, which the user
     * gains or loses, or which changes for all its members.
     */
    async changeVisibility(place: Place, pair: ModelPair, pairs: readonly ModelPair[], certain: ModelPair | null) {
      const { server_id, channel_id, role } = place;
      const { userId } = pair;
      const changes = { database, messaging, server_id, channel_id };
      const kind = random();
      if (role === null || kind < 0.3) {
        leaveOpen(server_id, [pair], certain);
        await changeOverride(changes, userId, overrides);
      } else if (kind < 0.6) {
        if (members.get(server_id)?.has(userId) !== true) return;
        leaveOpen(server_id, [pair], certain);
        await changeHolder(changes, userId, role, holders);
      } else {
        leaveOpen(
          server_id,
          pairs.filter((one) => holds(one.userId, role)),
          certain,
        );
        if (kind < 0.75) await changeDenial(changes, role);
        else if (kind < 0.9) await changeAdministrator(changes, role);
        else place.role = await replaceRole(changes, role);
      }
    },
    /** Resolves when a user's oracle has every event of a server from before this moment. */
    async passedOn(server_id: string, { userId, oracle }: ModelPair) {
      if (members.get(server_id)?.has(userId) !== true) return;
      const invite_id = randomUUID();
      await publish(messaging, "INVITE_DELETE", { server_id }, { server_id, invite_id });
      await waitUntil(() => oracle.marks.has(invite_id), { what: "the oracle to pass a mark" });
    },
    /**
     * Called when a client that was away comes back: it gets nothing that its user may not see now, and may get
     * messages that were hidden before in channels that are visible now.
     */
    judgeByRightsOfNow({ userId, client }: ModelPair) {
      for (const [sequence, channelId] of channelOf) {
        const place = places.find(({ channel_id }) => channel_id === channelId);
        if (place === undefined || client.has(sequence)) continue;
        if (!maySee(place, userId)) {
          open.get(userId)?.add(sequence);
          lost.get(userId)?.add(sequence);
        } else if (messages[sequence]?.recipients.has(userId) === false) {
          early.get(userId)?.add(sequence);
        }
      }
    },
    /** The messages that a client got after its user had lost the right to see them. */
    sawLost: ({ userId, client }: ModelPair) => client.seen.filter((sequence) => lost.get(userId)?.has(sequence)),
    /** Every node reads the server's permissions again before it dispatches later events of its channels. */
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
    /** The messages of a server that a client saw, and the certain ones among them. */
    sawIn(lane: string, { userId, oracle }: ModelPair, one: ModelClient) {
      const all = one.seen.filter((sequence) => messages[sequence]?.lane === lane);
      const isCertain = (sequence: number) =>
        open.get(userId)?.has(sequence) === false && (one === oracle || early.get(userId)?.has(sequence) === false);
      return { all, certain: all.filter(isCertain) };
    },
  };
}
